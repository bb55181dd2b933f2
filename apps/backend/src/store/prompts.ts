import { type Kysely, type Selectable, sql } from 'kysely'
import type { BusinessSchema } from './schema.ts'

type PromptRow = Selectable<BusinessSchema['prompt']>

/** A prompt or a skill of one tenant, in its newest version. */
export interface StoredPrompt {
  readonly id: string
  readonly tenantId: string
  readonly kind: PromptRow['kind']
  /** One a tenant and kind. */
  readonly name: string
  /** From 1. */
  readonly version: number
  readonly description: string
  readonly content: string
  readonly updatedAt: number
}

export interface StoredPromptVersion {
  readonly version: number
  readonly description: string
  readonly content: string
  readonly createdBy: string
  readonly createdAt: number
}

/** Whose, and which of the two. */
export interface PromptShelf {
  readonly tenantId: string
  readonly kind: StoredPrompt['kind']
}

export interface PromptFacts {
  /** All of a shelf without their text, by name. */
  heads(shelf: PromptShelf): Promise<readonly Pick<StoredPrompt, 'id' | 'name' | 'description'>[]>
  find(shelf: PromptShelf, id: string): Promise<StoredPrompt | undefined>
  named(shelf: PromptShelf, name: string): Promise<StoredPrompt | undefined>
  /** Those with these ids, in any order. */
  several(shelf: PromptShelf, ids: readonly string[]): Promise<readonly StoredPrompt[]>
  /** Version 1. Its name must be free on the shelf. */
  insert(shelf: PromptShelf, prompt: Pick<StoredPrompt, 'id' | 'name'>, first: NewVersion): Promise<void>
  /** The version after `base`; false when that is not the newest any more, and then nothing is written. */
  addVersion(id: string, base: number, next: NewVersion): Promise<boolean>
  /** Newest first, those below a number; there are as many in all as the newest one's number says. */
  versions(id: string, below: number, limit: number): Promise<readonly StoredPromptVersion[]>
  version(id: string, version: number): Promise<StoredPromptVersion | undefined>
  /** With its versions. True when it was there. */
  remove(shelf: PromptShelf, id: string): Promise<boolean>
}

export type NewVersion = Omit<StoredPromptVersion, 'version'>

export function promptFacts(database: Kysely<BusinessSchema>): PromptFacts {
  return {
    heads: (shelf) => promptHeads(database, shelf),
    find: (shelf, id) => newest(database, shelf).where('prompt.id', '=', id).executeTakeFirst(),
    named: (shelf, name) => newest(database, shelf).where('prompt.name', '=', name).executeTakeFirst(),
    several: (shelf, ids) => newest(database, shelf).where('prompt.id', 'in', ids).execute(),
    insert: async (shelf, prompt, first) => {
      await insertPrompt(database, shelf, { ...prompt, createdAt: first.createdAt })
      await insertVersion(database, { promptId: prompt.id, version: 1 }, first)
    },
    addVersion: (id, base, next) => addVersion(database, { id, base }, next),
    versions: (id, below, limit) =>
      versionsOf(database, id).where('version', '<', below).orderBy('version', 'desc').limit(limit).execute(),
    version: (id, version) => versionsOf(database, id).where('version', '=', version).executeTakeFirst(),
    remove: (shelf, id) => removePrompt(database, shelf, id)
  }
}

function shelfOf(database: Kysely<BusinessSchema>, { tenantId, kind }: PromptShelf) {
  return database
    .selectFrom('prompt')
    .innerJoin('prompt_version', (join) =>
      join.onRef('prompt_version.prompt_id', '=', 'prompt.id').onRef('prompt_version.version', '=', 'prompt.version')
    )
    .where('prompt.tenant_id', '=', tenantId)
    .where('prompt.kind', '=', kind)
    .where('prompt.deleted_at', 'is', null)
}

function newest(database: Kysely<BusinessSchema>, shelf: PromptShelf) {
  return shelfOf(database, shelf).select([
    'prompt.id',
    'prompt.tenant_id as tenantId',
    'prompt.kind',
    'prompt.name',
    'prompt.version',
    'prompt_version.description',
    'prompt_version.content',
    'prompt.updated_at as updatedAt'
  ])
}

function promptHeads(database: Kysely<BusinessSchema>, shelf: PromptShelf) {
  return shelfOf(database, shelf)
    .select(['prompt.id', 'prompt.name', 'prompt_version.description'])
    .orderBy('prompt.name')
    .execute()
}

async function insertPrompt(
  database: Kysely<BusinessSchema>,
  { tenantId, kind }: PromptShelf,
  { id, name, createdAt }: { readonly id: string; readonly name: string; readonly createdAt: number }
): Promise<void> {
  const times = { created_at: createdAt, updated_at: createdAt, deleted_at: null }
  await database
    .insertInto('prompt')
    .values({ id, tenant_id: tenantId, kind, name, version: 1, ...times })
    .execute()
}

async function insertVersion(
  database: Kysely<BusinessSchema>,
  { promptId, version }: { readonly promptId: string; readonly version: number },
  { description, content, createdBy, createdAt }: NewVersion
): Promise<void> {
  const written = { description, content, created_by: createdBy, created_at: createdAt }
  await database
    .insertInto('prompt_version')
    .values({ prompt_id: promptId, version, ...written })
    .execute()
}

async function addVersion(
  database: Kysely<BusinessSchema>,
  { id, base }: { readonly id: string; readonly base: number },
  next: NewVersion
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('prompt')
    .set({ version: sql<number>`version + 1`, updated_at: next.createdAt })
    .where('id', '=', id)
    .where('version', '=', base)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await insertVersion(database, { promptId: id, version: base + 1 }, next)
  return true
}

function versionsOf(database: Kysely<BusinessSchema>, id: string) {
  return database
    .selectFrom('prompt_version')
    .select(['version', 'description', 'content', 'created_by as createdBy', 'created_at as createdAt'])
    .where('prompt_id', '=', id)
}

async function removePrompt(
  database: Kysely<BusinessSchema>,
  { tenantId, kind }: PromptShelf,
  id: string
): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('prompt')
    .where('id', '=', id)
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
