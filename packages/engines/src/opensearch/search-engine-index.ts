import { WITHOUT_LIMIT } from '@oncall-agent/retrieval'
import type * as ports from '@oncall-agent/retrieval'
import { untilAborted } from './connection/index.ts'
import type { EngineConnection } from './connection/index.ts'
import { aliasOf, IndexState } from './indices/index.ts'
import type { IndexShape } from './indices/index.ts'
import { countFacets, findNearest, listDocuments, matchDocuments } from './reading/index.ts'
import type { SearchParts } from './reading/index.ts'
import { rebuildIndices } from './rebuilding/index.ts'
import { checkEntry, checkVector, deleteEntry, refusal, WriteClock, writeEntry } from './writing/index.ts'
import type { WriteParts } from './writing/index.ts'

/** Highest `from + size`, `k` and window: what an index allows unless its `index.max_result_window` says otherwise. */
const MAX_WINDOW = 10_000
/** Milliseconds for a step of a rebuild at least: a busy cluster takes its time, and nobody waits for an answer. */
const REBUILD_TIMEOUT_MS = 30_000
const NOTHING: ports.StructuredRecall = { total: 0, hits: [] }

export interface SearchEngineParts {
  readonly engine: string
  readonly connection: EngineConnection
  readonly shape: Omit<IndexShape, 'server'>
  readonly knowledgeTypes: readonly string[]
  readonly onBackgroundFailure: (error: ports.PortError) => void
}

/** Structured search by OpenSearch or Elasticsearch: an index for each type, behind an alias that a rebuild moves. */
export class SearchEngineIndex implements ports.StructuredIndex {
  readonly engine: string
  readonly capabilities: ports.StructuredCapabilities
  readonly #parts: SearchEngineParts
  readonly #search: SearchParts
  readonly #write: WriteParts
  readonly #state: IndexState

  constructor(parts: SearchEngineParts) {
    const { connection, shape, knowledgeTypes } = parts
    const { dialect, fingerprint } = shape
    const aliases = knowledgeTypes.map(aliasOf)
    this.#parts = parts
    this.#state = new IndexState({ connection, dialect, aliases, fingerprint })
    const checkIndices = (indices: readonly string[]): Promise<void> => this.#state.check(indices)
    const aliasesFor = (type?: string): readonly string[] =>
      // Of a type that nobody configured there is no alias; the filter then finds nothing anywhere.
      type === undefined || !knowledgeTypes.includes(type) ? aliases : [aliasOf(type)]
    this.#search = { connection, dialect, aliasesFor, checkIndices }
    this.#write = { connection, clock: new WriteClock(), aliases, checkIndices }
    this.engine = parts.engine
    this.capabilities = {
      knowledgeTypes,
      dimension: fingerprint.dimension,
      exactNearest: false,
      statistics: 'engine',
      atomicReplacement: false,
      maxWindow: MAX_WINDOW
    }
  }

  async match(request: ports.MatchRequest, signal?: AbortSignal): Promise<ports.StructuredRecall> {
    const operation = 'match documents'
    this.#parts.connection.throwIfOver(operation, signal)
    const { from, size, rescore } = request
    if (rescore !== undefined) checkVector(rescore.vector, this.capabilities.dimension, operation)
    checkWindow(Math.max(from + size, rescore?.window ?? 0), operation)
    checkWithout(request, operation)
    if (request.pairs.length === 0) return NOTHING
    return this.#ready(() => matchDocuments(this.#search, request, signal), signal)
  }

  async facets(request: ports.FacetRequest, signal?: AbortSignal): Promise<ports.StructuredFacets> {
    const operation = 'count facets'
    this.#parts.connection.throwIfOver(operation, signal)
    checkWithout(request, operation)
    if (request.pairs.length === 0) {
      return Object.fromEntries(request.fields.map((field) => [field, { buckets: [], truncated: 0 }]))
    }
    return this.#ready(() => countFacets(this.#search, request, { signal }), signal)
  }

  async nearest(request: ports.NearestRequest, signal?: AbortSignal): Promise<ports.StructuredRecall> {
    const operation = 'find nearest'
    this.#parts.connection.throwIfOver(operation, signal)
    checkVector(request.vector, this.capabilities.dimension, operation)
    checkWindow(request.k, operation)
    checkWithout(request, operation)
    if (request.pairs.length === 0) return NOTHING
    return this.#ready(() => findNearest(this.#search, request, signal), signal)
  }

  async replaceDocument(entry: ports.StructuredEntry): Promise<void> {
    this.#parts.connection.throwIfOver('replace document')
    checkEntry(entry, this.capabilities)
    await this.#ready(() => writeEntry(this.#write, entry))
  }

  async deleteDocument(pair: ports.ReadablePair, documentId: string): Promise<boolean> {
    return this.#ready(() => deleteEntry(this.#write, pair, documentId))
  }

  async listDocuments(pair: ports.ReadablePair): Promise<readonly ports.ListedEntry[]> {
    return this.#ready(() => listDocuments(this.#search, pair))
  }

  async rebuild(entries: AsyncIterable<ports.StructuredEntry>): Promise<void> {
    const { connection, shape, onBackgroundFailure } = this.#parts
    const server = await this.#state.server()
    const check = (entry: ports.StructuredEntry): void => checkEntry(entry, this.capabilities)
    const { clock, aliases } = this.#write
    const patienceMs = Math.max(REBUILD_TIMEOUT_MS, connection.timeoutMs)
    const parts = { connection, clock, aliases, check, onBackgroundFailure, patienceMs, shape: { ...shape, server } }
    try {
      await rebuildIndices(parts, entries)
    } finally {
      this.#state.forget()
    }
  }

  async close(): Promise<void> {
    await this.#parts.connection.close()
  }

  /** After making sure, once, that the engine and the indices are those that this index is of. */
  #ready<Result>(run: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return untilAborted(this.#state.ready().then(run), signal)
  }
}

function checkWindow(documents: number, operation: string): void {
  if (documents <= MAX_WINDOW) return
  throw refusal(operation, 'window', `${documents} documents are more than the ${MAX_WINDOW} that may be asked for`)
}

function checkWithout({ without = [] }: ports.StructuredSelection, operation: string): void {
  if (without.length <= WITHOUT_LIMIT) return
  throw refusal(operation, 'without', `${without.length} ids are more than the ${WITHOUT_LIMIT} that may be left out`)
}
