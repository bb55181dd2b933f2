import { AppError } from '@oncall-agent/api-contracts'
import type { ListedDocument } from '@oncall-agent/retrieval'
import { acquireRunLock } from '../../store/index.ts'
import { throughPort } from '../port-failure.ts'
import { rebuildDocuments, removeDocuments } from './rebuild-documents.ts'
import type { ReindexParts, ReindexRun } from './reindex-run.ts'
import { type ReindexProgress, type ReindexReport, ReindexTally } from './reindex-tally.ts'
import { listTargets, stateOf, type Target, type Targets } from './targets.ts'
import { writeFacts } from './write-facts.ts'

export interface ReindexWatch {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: ReindexProgress) => void
}

/**
 * Makes the index anew from the facts with the configured embedder, beside the old one, which is served meanwhile; then
 * gives the old one the new content in one transaction. What changes while this runs is caught up with before. A run
 * that ends early, however it ends, leaves the old index as it is, and the next run takes up what was done.
 * @throws AppError DATA_LOCKED while something is indexed; STORAGE_FULL, SYSTEM_UNAVAILABLE, DATA_CORRUPT; the signal's
 *   reason
 */
export async function reindex(parts: ReindexParts, { signal, onProgress }: ReindexWatch): Promise<ReindexReport> {
  const lock = acquireRunLock(parts.dataDirectory)
  const tally = new ReindexTally(onProgress)
  try {
    const run = await openRun(parts, tally, signal)
    try {
      const leftOut = await catchUpAndReplace(run)
      await writeFacts(run)
      return tally.report(await throughPort(() => run.next.size()), leftOut)
    } finally {
      await Promise.all([run.old.close(), run.next.close()])
      if (tally.isDone) await parts.generations.discardNext()
    }
  } finally {
    lock.release()
  }
}

async function openRun(parts: ReindexParts, tally: ReindexTally, signal: AbortSignal): Promise<ReindexRun> {
  const old = await throughPort(() => parts.generations.openOld())
  try {
    const next = await throughPort(() => parts.generations.openNext())
    const run = { parts, old, next, held: new Map(), settled: new Map(), facts: new Map(), tally, signal }
    for (const { id: knowledgeBaseId, tenantId } of await parts.store.knowledgeBases.every()) {
      const pair = { tenantId, knowledgeBaseId }
      const documents = await throughPort(() => next.writer.listDocuments(pair))
      const entries = new Set((await throughPort(() => next.structured.listDocuments(pair))).map(idOf))
      // What an earlier release has begun holds no entries: no hash is the empty one, so that it is done again.
      const heldAs = (document: ListedDocument) =>
        entries.has(idOf(document)) ? document : { ...document, contentHash: '' }
      for (const document of documents) run.held.set(document.documentId, heldAs(document))
    }
    return run
  } catch (thrown) {
    await old.close()
    throw thrown
  }
}

/** Rebuilds until nothing has changed since, looks once more while nobody can write, and replaces. */
async function catchUpAndReplace(run: ReindexRun): Promise<number> {
  const { generations } = run.parts
  for (;;) {
    const targets = await plan(run)
    const { changed, gone } = pending(run, targets)
    if (changed.length + gone.length > 0) {
      run.tally.expect(targets.byId.size)
      run.tally.enter('rebuilding')
      await removeDocuments(run, gone)
      await rebuildDocuments(run, changed)
      continue
    }
    run.tally.enter('checking')
    await verify(run)
    run.signal.throwIfAborted()
    const replacement = await throughPort(async () => generations.beginReplacement())
    try {
      const last = pending(run, await plan(run))
      if (last.changed.length + last.gone.length > 0) continue
      run.tally.enter('replacing')
      await throughPort(async () => replacement.commit())
      return targets.leftOut
    } finally {
      replacement.cancel()
    }
  }
}

function idOf({ documentId }: { readonly documentId: string }): string {
  return documentId
}

function plan({ parts, old }: ReindexRun): Promise<Targets> {
  return listTargets(parts.store, old.writer)
}

interface Pending {
  readonly changed: readonly Target[]
  readonly gone: readonly string[]
}

function pending({ settled, held }: ReindexRun, { byId }: Targets): Pending {
  const changed = [...byId.values()].filter((target) => settled.get(target.documentId) !== stateOf(target))
  const gone = [...new Set([...held.keys(), ...settled.keys()])].filter((documentId) => !byId.has(documentId))
  return { changed, gone }
}

/** The new index is whole, and holds what was put into it, before anything is replaced by it. */
async function verify({ next, held }: ReindexRun): Promise<void> {
  const faults = [...(await throughPort(() => next.verify()))]
  const { documents, chunks } = await throughPort(() => next.size())
  const expected = [...held.values()].reduce((sum, document) => sum + document.chunks, 0)
  if (documents !== held.size || chunks !== expected) {
    faults.push(`it holds ${documents} documents of ${chunks} chunks, and ${held.size} of ${expected} were put into it`)
  }
  if (faults.length === 0) return
  throw new AppError('DATA_CORRUPT', {
    operation: 'rebuild index',
    subject: 'the new index',
    message: `The new index is not whole: ${faults.join('; ')}. The old one is as it was.`,
    hint: 'Delete the folder `reindex` in the data folder and run `oncall reindex` again.'
  })
}
