import { invalidInput, type NewPrompt, type Page, type Prompt, type PromptVersion } from '@oncall-agent/api-contracts'
import { pageOfRows, type PageRequest, pageStart, type StoredPrompt } from '../../store/index.ts'
import { builtInName, builtInPrompts } from './built-in-prompts.ts'
import { notFound, type PromptParts, type Shelf, shownBuiltIn, shownOwn } from './prompt-parts.ts'

/** Own ones, and built-in ones that none of them takes the place of, by name. */
export async function listPrompts({ store }: PromptParts, shelf: Shelf, page: PageRequest): Promise<Page<Prompt>> {
  const own = await store.prompts.heads(shelf)
  const ids = new Map(own.map(({ name, id }) => [name, id]))
  const names = [...new Set([...ids.keys(), ...builtInPrompts(shelf.kind).keys()])].toSorted()
  const after = nameAfter(page)
  const coming = names.filter((name) => name > after)
  const shown = coming.slice(0, page.limit)
  const loaded = await store.prompts.several(
    shelf,
    shown.flatMap((name) => ids.get(name) ?? [])
  )
  const byName = new Map(loaded.map((prompt) => [prompt.name, shownOwn(prompt)]))
  const last = coming.length > shown.length ? shown.at(-1) : undefined
  return {
    // One that was deleted in this moment gives way to the built-in one, or to nothing.
    items: shown.flatMap((name) => byName.get(name) ?? builtInNamed(shelf, name) ?? []),
    nextCursor: last === undefined ? null : Buffer.from(last).toString('base64url'),
    total: names.length
  }
}

/** @throws AppError VALIDATION_FAILED when the cursor never came from a page */
function nameAfter({ cursor }: PageRequest): string {
  if (cursor === undefined) return ''
  const name = /^[\w-]+$/.test(cursor) ? Buffer.from(cursor, 'base64url').toString('latin1') : ''
  if (/^[a-z0-9-]+$/.test(name)) return name
  const issue = { field: 'cursor', problem: 'must be the nextCursor of a page, as it came' }
  throw invalidInput([issue], { operation: 'list prompts' })
}

function builtInNamed({ kind }: Shelf, name: string): Prompt | undefined {
  const prompt = builtInPrompts(kind).get(name)
  return prompt === undefined ? undefined : shownBuiltIn(kind, prompt)
}

/** A built-in id gives the built-in one, also where an own one takes its place. @throws AppError NOT_FOUND */
export async function getPrompt(parts: PromptParts, shelf: Shelf, id: string): Promise<Prompt> {
  const found = await findPrompt(parts, shelf, id)
  return found.own === undefined ? shownBuiltIn(shelf.kind, found.builtIn!) : shownOwn(found.own)
}

/** Newest first; the built-in one of the name is version 0, the oldest. @throws AppError NOT_FOUND */
export async function listVersions(
  parts: PromptParts,
  { shelf, id }: { readonly shelf: Shelf; readonly id: string },
  page: PageRequest
): Promise<Page<PromptVersion>> {
  const { own, builtIn } = await findPrompt(parts, shelf, id)
  const oldest = builtIn === undefined ? [] : [versionZero(builtIn)]
  if (own === undefined) return { items: oldest, nextCursor: null, total: oldest.length }
  const below = pageStart(page)
  const written = await parts.store.prompts.versions(own.id, below, page.limit + 1)
  const rows = [...written, ...(below > 0 ? oldest : [])].map((shown) => ({ shown, sequence: shown.version }))
  return pageOfRows(rows.slice(0, page.limit + 1), page, own.version + oldest.length, (row) => row.shown)
}

/** @throws AppError NOT_FOUND */
export async function getVersion(
  parts: PromptParts,
  { shelf, id }: { readonly shelf: Shelf; readonly id: string },
  version: number
): Promise<PromptVersion> {
  const { own, builtIn } = await findPrompt(parts, shelf, id)
  if (version === 0 && builtIn !== undefined) return versionZero(builtIn)
  const found = own === undefined ? undefined : await parts.store.prompts.version(own.id, version)
  if (found === undefined) throw notFound(`${id} version ${version}`)
  return found
}

interface Found {
  readonly own: StoredPrompt | undefined
  /** Of the same name; there is one or the other. */
  readonly builtIn: NewPrompt | undefined
}

async function findPrompt({ store }: PromptParts, shelf: Shelf, id: string): Promise<Found> {
  const name = builtInName(id)
  const builtIns = builtInPrompts(shelf.kind)
  const own = name === undefined ? await store.prompts.find(shelf, id) : undefined
  const builtIn = builtIns.get(name ?? own?.name ?? '')
  if (own === undefined && (name === undefined || builtIn === undefined)) throw notFound(id)
  return { own, builtIn }
}

function versionZero({ description, content }: NewPrompt): PromptVersion {
  return { version: 0, description, content, createdBy: null, createdAt: null }
}
