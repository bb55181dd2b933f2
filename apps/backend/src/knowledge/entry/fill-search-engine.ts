import { AppError } from '@oncall-agent/api-contracts'
import type { KnowledgeIndex, ReadablePair, StructuredEntry, StructuredIndex } from '@oncall-agent/retrieval'
import type { BusinessStore } from '../../store/index.ts'
import { acquireRunLock } from '../../store/index.ts'
import { throughPort } from '../port-failure.ts'
import { alignEntries } from './compare-entries.ts'
import { type EntryCopy, throughEngine } from './follow-index.ts'
import { leftOut, refusalOf, type RefusedEntries, refusedDocument } from './refused-entries.ts'

export interface FillParts {
  readonly store: Pick<BusinessStore, 'knowledgeBases'>
  readonly index: EntryCopy['index'] & Pick<KnowledgeIndex, 'entries'>
  readonly searchEngine: StructuredIndex
  readonly dataDirectory: string
}

export interface FillReport {
  readonly engine: string
  /** Entries that were copied. */
  readonly documents: number
  /** Of documents that changed while the engine was being filled: brought up to date behind it. */
  readonly mended: number
  readonly tookMs: number
}

/** Phases: copying -> comparing -> done. */
export interface FillProgress {
  readonly phase: 'copying' | 'comparing' | 'done'
  readonly documents: number
}

export interface FillWatch {
  readonly signal: AbortSignal
  readonly onProgress?: (progress: FillProgress) => void
}

/** Each round mends what changed during the one before; more of them than this tell of an engine that does not keep what it takes. */
const ROUNDS = 10
/** Each document that an engine refuses for a reason of its own costs a run over all; more of them tell of another fault. */
const RESTARTS = 20

/**
 * Fills the search engine from the index anew, while it answers from what it had; then compares both until they are equal,
 * because servers and workers go on writing to the index meanwhile.
 * @throws AppError DATA_LOCKED while something is indexed; SYSTEM_UNAVAILABLE, also when the index was made by a release
 *   without entries; the signal's reason; VALIDATION_FAILED, when all else is done, with the documents that were left out
 */
export async function fillSearchEngine(parts: FillParts, { signal, onProgress }: FillWatch): Promise<FillReport> {
  const { searchEngine, dataDirectory } = parts
  const started = performance.now()
  const lock = acquireRunLock(dataDirectory)
  let documents = 0
  try {
    const tell = (phase: FillProgress['phase']): void => onProgress?.({ phase, documents })
    const onEntry = (): void => {
      documents++
      tell('copying')
    }
    tell('copying')
    const refused: RefusedEntries = new Map()
    const filling = { signal, onEntry, refused }
    for (let restarts = 0; !(await rebuild(parts, filling, restarts < RESTARTS)); restarts++) documents = 0
    tell('comparing')
    const mended = await mend(parts, { signal, refused })
    tell('done')
    if (refused.size > 0) throw leftOut(searchEngine.engine, refused)
    return { engine: searchEngine.engine, documents, mended, tookMs: Math.round(performance.now() - started) }
  } finally {
    lock.release()
  }
}

interface Filling {
  readonly signal: AbortSignal
  readonly onEntry: () => void
  readonly refused: RefusedEntries
}

/** False when the engine refused one more document: one of anybody must not keep all others out, so it is left out then. */
async function rebuild(parts: FillParts, filling: Filling, mayLeaveOut: boolean): Promise<boolean> {
  const { searchEngine } = parts
  try {
    await throughEngine(searchEngine, () => searchEngine.rebuild(entriesOf(parts, filling)))
    return true
  } catch (thrown) {
    const refusal = refusedDocument(thrown)
    if (!mayLeaveOut || refusal === undefined || filling.refused.has(refusal.documentId)) throw thrown
    filling.refused.set(refusal.documentId, refusal.reason)
    return false
  }
}

/** A fault of the index is told as that, and not as one of the engine that reads it. */
async function* entriesOf(
  { index, searchEngine }: FillParts,
  { signal, onEntry, refused }: Filling
): AsyncGenerator<StructuredEntry> {
  const entries = index.entries(signal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await throughPort(() => entries.next())
      if (next.done === true) return
      signal.throwIfAborted()
      const { documentId } = next.value
      const refusal = refusalOf(next.value, searchEngine.capabilities)
      if (refusal !== undefined) refused.set(documentId, refusal)
      if (refused.has(documentId)) continue
      yield next.value
      onEntry()
    }
  } finally {
    await entries.return?.()
  }
}

type Mending = Pick<Filling, 'signal' | 'refused'>

async function mend(parts: FillParts, mending: Mending): Promise<number> {
  let mended = 0
  for (let round = 0; round < ROUNDS; round++) {
    const changed = await alignAll(parts, mending)
    if (changed === 0) return mended
    mended += changed
  }
  throw new AppError('SYSTEM_UNAVAILABLE', {
    operation: 'fill search engine',
    subject: parts.searchEngine.engine,
    message: `The search engine (${parts.searchEngine.engine}) still differs from the index after ${ROUNDS} rounds.`,
    hint: 'If many documents are being indexed, wait until they are and run this again; else look at the log of the engine.'
  })
}

async function alignAll(parts: FillParts, mending: Mending): Promise<number> {
  let changed = 0
  for (const pair of await pairsOf(parts.store)) changed += await alignEntries(parts, pair, mending)
  return changed
}

async function pairsOf(store: FillParts['store']): Promise<readonly ReadablePair[]> {
  return (await store.knowledgeBases.every()).map(({ id: knowledgeBaseId, tenantId }) => ({
    tenantId,
    knowledgeBaseId
  }))
}
