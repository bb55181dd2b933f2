import { AppError, type Page, type Reader } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { PageRequest, Person } from '../../store/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { notFound, ownBase } from './access.ts'

/** A base of the caller, and somebody by id or user name. */
export interface ReaderRequest {
  readonly caller: Caller
  readonly baseId: string
  readonly person: string
}

/** Only the owner is told who else reads. @throws AppError NOT_FOUND, AUTH_FORBIDDEN */
export async function listReaders(
  parts: KnowledgeParts,
  { caller, baseId }: Omit<ReaderRequest, 'person'>,
  page: PageRequest
): Promise<Page<Reader>> {
  await ownBase(parts, caller, baseId)
  return parts.store.sharing.readersOf(baseId, page)
}

/** Once more is the same as once. @throws AppError NOT_FOUND, CONFLICT for the owner */
export async function addReader(parts: KnowledgeParts, { caller, baseId, person }: ReaderRequest): Promise<Reader> {
  await ownBase(parts, caller, baseId)
  const { id } = await findPerson(parts, person)
  if (id === caller.userId) {
    throw new AppError('CONFLICT', {
      operation: 'share knowledge base',
      subject: baseId,
      message: 'It is yours: you may read it already.'
    })
  }
  const reader = await parts.store.sharing.grant(baseId, id, parts.now())
  return reader!
}

/** @throws AppError NOT_FOUND when they are no reader */
export async function removeReader(parts: KnowledgeParts, { caller, baseId, person }: ReaderRequest): Promise<void> {
  await ownBase(parts, caller, baseId)
  const { id } = await findPerson(parts, person)
  if (!(await parts.store.sharing.revoke(baseId, id))) throw notFound('reader', person)
}

/** Ids are never user names: those are made by the server. */
async function findPerson({ store }: KnowledgeParts, given: string): Promise<Person> {
  const person = await store.people.meant(given)
  if (person === undefined) throw notFound('person', given)
  return person
}
