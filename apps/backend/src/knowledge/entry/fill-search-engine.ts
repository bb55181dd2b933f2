import { AppError } from '@oncall-agent/api-contracts'
import type { KnowledgeIndex, ReadablePair, StructuredEntry, StructuredIndex } from '@oncall-agent/retrieval'
import type { BusinessStore } from '../../store/index.ts'
import { acquireRunLock } from '../../store/index.ts'
import { throughPort } from '../port-failure.ts'
import { alignEntries } from './compare-entries.ts'
import { type EntryCopy, throughEngine } from './follow-index.ts'

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

/**
 * Fills the search engine from the index anew, while it answers from what it had; then compares both until they are equal,
 * because servers and workers go on writing to the index meanwhile.
 * @throws AppError DATA_LOCKED while something is indexed; SYSTEM_UNAVAILABLE, also when the index was made by a release
 *   without entries; the signal's reason
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
    await throughEngine(searchEngine, () => searchEngine.rebuild(entriesOf(parts, signal, onEntry)))
    tell('comparing')
    const mended = await mend(parts, signal)
    tell('done')
    return { engine: searchEngine.engine, documents, mended, tookMs: Math.round(performance.now() - started) }
  } finally {
    lock.release()
  }
}

/** A fault of the index is told as that, and not as one of the engine that reads it. */
async function* entriesOf(
  { index }: FillParts,
  signal: AbortSignal,
  onEntry: () => void
): AsyncGenerator<StructuredEntry> {
  const entries = index.entries(signal)[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await throughPort(() => entries.next())
      if (next.done === true) return
      signal.throwIfAborted()
      yield next.value
      onEntry()
    }
  } finally {
    await entries.return?.()
  }
}

async function mend(parts: FillParts, signal: AbortSignal): Promise<number> {
  let mended = 0
  for (let round = 0; round < ROUNDS; round++) {
    const changed = await alignAll(parts, signal)
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

async function alignAll(parts: FillParts, signal: AbortSignal): Promise<number> {
  let changed = 0
  for (const pair of await pairsOf(parts.store)) changed += await alignEntries(parts, pair, signal)
  return changed
}

async function pairsOf(store: FillParts['store']): Promise<readonly ReadablePair[]> {
  return (await store.knowledgeBases.every()).map(({ id: knowledgeBaseId, tenantId }) => ({
    tenantId,
    knowledgeBaseId
  }))
}
