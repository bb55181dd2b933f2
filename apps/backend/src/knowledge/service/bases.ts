import { randomUUID } from 'node:crypto'
import {
  AppError,
  type DocumentCounts,
  type KnowledgeBaseChange,
  type KnowledgeBaseView,
  type NewKnowledgeBase,
  type Page
} from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import { PURGE_KNOWLEDGE_BASE } from '../kinds.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { cancelTask } from '../start-task.ts'
import { throughPort } from '../port-failure.ts'
import type { BusinessTables, PageRequest, StoredBase } from '../../store/index.ts'
import { accessTo, notFound, ownBase, type ReadableBase, readableBase, visibilityOf } from './access.ts'

/** @throws AppError CONFLICT with `details.knowledgeBaseId` when the caller has one of that name */
export async function createBase(
  parts: KnowledgeParts,
  caller: Caller,
  { name, description }: NewKnowledgeBase
): Promise<KnowledgeBaseView> {
  const { tenantId } = caller
  const id = randomUUID()
  await parts.store.transaction(async (tables) => {
    await expectFree(tables, tenantId, name)
    await tables.knowledgeBases.insert({ id, tenantId, name, description }, parts.now())
  })
  return showBase(parts, caller, id)
}

/** The caller's own, those that are shared with them and, for administrators, those that folders fill; newest first. */
export async function listBases(
  parts: KnowledgeParts,
  caller: Caller,
  page: PageRequest
): Promise<Page<KnowledgeBaseView>> {
  const { items, ...rest } = await parts.store.knowledgeBases.visible(visibilityOf(caller), page)
  return {
    ...rest,
    items: await viewsOf(
      parts,
      items.map((base) => accessTo(base, caller))
    )
  }
}

/** @throws AppError NOT_FOUND */
export async function showBase(parts: KnowledgeParts, caller: Caller, baseId: string): Promise<KnowledgeBaseView> {
  const [view] = await viewsOf(parts, [await readableBase(parts, caller, baseId)])
  return view!
}

/** Only what is given is changed. @throws AppError NOT_FOUND, AUTH_FORBIDDEN, CONFLICT */
export async function changeBase(
  parts: KnowledgeParts,
  { caller, baseId }: { readonly caller: Caller; readonly baseId: string },
  { name, description }: KnowledgeBaseChange
): Promise<KnowledgeBaseView> {
  const { tenantId } = await ownBase(parts, caller, baseId)
  await parts.store.transaction(async (tables) => {
    if (name !== undefined) await expectFree(tables, tenantId, name, baseId)
    await tables.knowledgeBases.change(baseId, { name, description }, parts.now())
  })
  return showBase(parts, caller, baseId)
}

/**
 * Deletes a base with its documents, in the facts: from then on it is no one's to read, and hits of its documents are
 * dropped. A durable job takes the rest away.
 */
export async function deleteBase(parts: KnowledgeParts, caller: Caller, baseId: string): Promise<void> {
  const { tenantId } = await ownBase(parts, caller, baseId)
  const { maxAttempts } = parts
  await parts.store.transaction(async (tables) => {
    const now = parts.now()
    if (!(await tables.knowledgeBases.markDeleted(baseId, now))) throw notFound('knowledge base', baseId)
    for (const task of await tables.indexTasks.open({ knowledgeBaseId: baseId })) await cancelTask(tables, task, now)
    await tables.documents.markDeletedInBase(baseId, now)
    await tables.jobs.enqueue({ kind: PURGE_KNOWLEDGE_BASE, tenantId, subject: baseId, maxAttempts, now })
  })
  parts.onEnqueued()
}

/** The write lock is held: a name that is free here stays free until the caller has committed. */
async function expectFree(tables: BusinessTables, tenantId: string, name: string, except?: string): Promise<void> {
  const taken = await tables.knowledgeBases.named(tenantId, name)
  if (taken === undefined || taken === except) return
  throw new AppError('CONFLICT', {
    operation: 'name knowledge base',
    subject: taken,
    message: `You have a knowledge base named ${name} already.`,
    details: { knowledgeBaseId: taken }
  })
}

/** Counts of all of them come from one query, except where a folder is the fact. */
async function viewsOf(parts: KnowledgeParts, bases: readonly ReadableBase[]): Promise<readonly KnowledgeBaseView[]> {
  const uploads = bases.filter(({ origin }) => origin === 'uploads').map(({ base }) => base.id)
  const counts = await parts.store.documents.counts(uploads)
  return Promise.all(
    bases.map(async ({ base, access, origin }) => {
      const { id, name, description, tenantId, createdAt, updatedAt } = base
      const documents = counts.get(id) ?? (await countFolder(parts, base))
      return { id, name, description, ownerUserId: tenantId, tenantId, access, origin, documents, createdAt, updatedAt }
    })
  )
}

/** What a folder holds is in the index, or nowhere. */
async function countFolder({ index }: KnowledgeParts, { id, tenantId }: StoredBase): Promise<DocumentCounts> {
  const { length } = await throughPort(() => index.writer.listDocuments({ tenantId, knowledgeBaseId: id }))
  return { total: length, indexed: length, indexing: 0, pending: 0, failed: 0 }
}
