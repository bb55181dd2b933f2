import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import type { DocumentWriter } from '@oncall-agent/retrieval'
import { acquireRunLock } from '../store/index.ts'
import type { KnowledgeBaseRef } from './document-identity.ts'
import { alignEntries } from './entry/compare-entries.ts'
import type { EntryCopy } from './entry/follow-index.ts'
import { isInside } from './folder/resolve-roots.ts'
import { listKnown } from './known-documents.ts'
import { throughPort } from './port-failure.ts'

export interface ForgetRequest {
  /** Files and folders, whether they still exist or not. */
  readonly paths: readonly string[]
  readonly knowledgeBase: KnowledgeBaseRef
  readonly dataDirectory: string
}

export interface ForgetReport {
  /** Sources of the documents that were removed. */
  readonly removed: readonly string[]
}

/**
 * Removes from a knowledge base what was indexed from files and folders, which stay as they are; a search engine that holds
 * a copy follows.
 * @throws AppError NOT_FOUND when nothing was indexed from one of the paths, and then nothing is removed from the index;
 *   DATA_LOCKED; SYSTEM_UNAVAILABLE when the engine could not follow
 */
export async function forgetPaths(
  request: ForgetRequest,
  index: DocumentWriter,
  copy?: EntryCopy
): Promise<ForgetReport> {
  const { paths, knowledgeBase, dataDirectory } = request
  const lock = acquireRunLock(dataDirectory)
  try {
    const known = [...(await listKnown(index, knowledgeBase))]
    const found = new Map<string, string>()
    for (const given of paths) {
      const places = await placesOf(given)
      const under = known.filter(([, { path }]) => path !== undefined && places.some((place) => isInside(path, place)))
      if (under.length === 0) {
        // Perhaps an earlier run reached the index and not the engine, which must not go on showing what was forgotten.
        await align(copy, knowledgeBase)
        throw nothingThere(given)
      }
      for (const [documentId, { source }] of under) found.set(documentId, source)
    }
    for (const documentId of found.keys()) await throughPort(() => index.deleteDocument(knowledgeBase, documentId))
    await align(copy, knowledgeBase)
    return { removed: [...found.values()] }
  } finally {
    lock.release()
  }
}

/** @throws AppError that says what is forgotten and what is not; the index is done by then */
async function align(copy: EntryCopy | undefined, knowledgeBase: KnowledgeBaseRef): Promise<void> {
  if (copy === undefined) return
  try {
    await alignEntries(copy, knowledgeBase)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    throw new AppError(thrown.code, {
      operation: 'forget path',
      subject: thrown.subject,
      message: `The index holds none of it any more, but the search engine may still show it. ${thrown.message}`,
      hint: 'When it answers again, run `oncall doctor --repair`, or this command once more.',
      cause: thrown
    })
  }
}

/** As it was given, and where its links lead as long as they do: documents are known by where they really were. */
async function placesOf(given: string): Promise<readonly string[]> {
  const path = resolve(given)
  const real = await realpath(path).catch(() => path)
  return [path, real]
}

function nothingThere(given: string): AppError {
  return new AppError('NOT_FOUND', {
    operation: 'forget path',
    subject: given,
    message: `Nothing in this knowledge base was indexed from ${given}.`,
    hint: 'Give the path as it was when it was indexed; --kb names the knowledge base.'
  })
}
