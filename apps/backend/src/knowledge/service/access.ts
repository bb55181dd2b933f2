import { AppError, type DocumentView } from '@oncall-agent/api-contracts'
import { type Caller, LOCAL_TENANT, tenantsReadBy } from '../../auth/index.ts'
import type { StoredBase } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'

/** A base that a caller may read, and how. */
export interface ReadableBase {
  readonly base: StoredBase
  readonly access: 'owner' | 'reader'
  /** `folder`: what `oncall index` filled. Nobody changes it here. */
  readonly origin: 'uploads' | 'folder'
}

/** What a caller may read, as the store is asked for it. */
export function visibilityOf(caller: Caller) {
  return { userId: caller.userId, tenantIds: tenantsReadBy(caller) }
}

/** How a base that the caller may read is theirs. */
export function accessTo(base: StoredBase, caller: Caller): ReadableBase {
  const origin = base.tenantId === LOCAL_TENANT ? 'folder' : 'uploads'
  return { base, origin, access: base.tenantId === caller.tenantId && origin === 'uploads' ? 'owner' : 'reader' }
}

/** Undefined also when the base is there and the caller may not know. */
export async function findReadableBase(
  { store }: KnowledgeParts,
  caller: Caller,
  baseId: string
): Promise<ReadableBase | undefined> {
  const base = await store.knowledgeBases.findVisible(visibilityOf(caller), baseId)
  return base === undefined ? undefined : accessTo(base, caller)
}

/** @throws AppError NOT_FOUND, also when the base is there and the caller may not know */
export async function readableBase(parts: KnowledgeParts, caller: Caller, baseId: string): Promise<ReadableBase> {
  const found = await findReadableBase(parts, caller, baseId)
  if (found === undefined) throw notFound('knowledge base', baseId)
  return found
}

/** @throws AppError NOT_FOUND; AUTH_FORBIDDEN when the caller may read and not change it */
export async function ownBase(parts: KnowledgeParts, caller: Caller, baseId: string): Promise<StoredBase> {
  const readable = await readableBase(parts, caller, baseId)
  if (readable.access === 'owner') return readable.base
  throw mayOnlyRead(readable, baseId)
}

export interface ReadableDocument {
  readonly document: DocumentView
  readonly in: ReadableBase
}

/**
 * A document of an upload. Undefined when there is none, or none that the caller may know of; a deleted one is
 * not there.
 */
export async function uploadedDocument(
  parts: KnowledgeParts,
  caller: Caller,
  documentId: string
): Promise<ReadableDocument | undefined> {
  const document = await parts.store.documents.find(documentId)
  if (document === undefined || document.status === 'deleted') return undefined
  const of = await findReadableBase(parts, caller, document.knowledgeBaseId)
  return of === undefined ? undefined : { document, in: of }
}

/** The same words whether it is not there or is not the caller's to know. */
export function notFound(what: string, id: string): AppError {
  return new AppError('NOT_FOUND', { operation: `find ${what}`, subject: id, message: `There is no such ${what}.` })
}

/** Why a base that can be read is not changed, and what to do instead. */
export function mayOnlyRead({ origin }: ReadableBase, subject: string): AppError {
  const about = { operation: 'change knowledge base', subject }
  if (origin === 'uploads') {
    return new AppError('AUTH_FORBIDDEN', { ...about, message: 'It is shared with you for reading only.' })
  }
  return new AppError('AUTH_FORBIDDEN', {
    ...about,
    message: 'It is filled from a folder by `oncall index`, and is not changed here.',
    hint: 'Change the files in the folder, then run `oncall index` again on the machine of the server.'
  })
}
