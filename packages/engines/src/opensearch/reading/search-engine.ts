import { createHash } from 'node:crypto'
import { EngineFault, isRecord } from '../connection/index.ts'
import type { EngineAnswer, EngineConnection } from '../connection/index.ts'
import type { Dialect } from '../dialects/index.ts'
import { pathOf } from '../indices/index.ts'
import type { StoredDocument } from '../indices/index.ts'

/** What every search here goes through. */
export interface SearchParts {
  readonly connection: EngineConnection
  readonly dialect: Dialect
  /** All aliases unless a type is asked for. */
  readonly aliasesFor: (knowledgeType?: string) => readonly string[]
  /** Called with the index of every hit: another process may have rebuilt, with another model even. */
  readonly checkIndices: (indices: readonly string[]) => Promise<void>
}

export interface SearchCall {
  readonly operation: string
  readonly knowledgeType?: string | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** Searches of one route go to the same copies of the shards, so that one answers as another left it. */
  readonly route: string
  readonly signal: AbortSignal | undefined
}

export interface SearchAnswer {
  readonly total: number
  readonly hits: readonly SearchHit[]
  readonly aggregations: Readonly<Record<string, unknown>>
}

export interface SearchHit {
  readonly index: string
  readonly id: string
  readonly score: number
  /** Of the write that made it what it is; only where asked for. */
  readonly sequence: number | undefined
  readonly source: StoredDocument
  readonly sort: readonly unknown[] | undefined
}

/** Digest of a question, for `route`. */
export function routeOf(question: object): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('hex')
}

/**
 * One search over all that it should see, or an error: never the part that was there.
 * @throws PortError, the signal's reason
 */
export async function searchEngine(parts: SearchParts, call: SearchCall): Promise<SearchAnswer> {
  const { connection } = parts
  const { body } = await connection.call(
    {
      operation: call.operation,
      method: 'POST',
      path: pathOf(parts.aliasesFor(call.knowledgeType), '/_search'),
      query: {
        allow_partial_search_results: false,
        // Statistics of all types and shards, or the same words would weigh differently from index to index.
        search_type: 'dfs_query_then_fetch',
        preference: call.route
      },
      body: { track_total_hits: true, timeout: `${connection.timeoutMs}ms`, ...call.body },
      faultOf: answerFault
    },
    call.signal
  )
  const answer = body as RawAnswer
  const hits = answer.hits.hits.map(hitOf)
  await parts.checkIndices([...new Set(hits.map(({ index }) => index))])
  return { total: answer.hits.total.value, hits, aggregations: answer.aggregations ?? {} }
}

interface RawAnswer {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly RawHit[] }
  readonly aggregations?: Readonly<Record<string, unknown>>
}

interface RawHit {
  readonly _index: string
  readonly _id: string
  readonly _score: number | null
  readonly _seq_no?: number
  readonly _source?: StoredDocument
  readonly sort?: readonly unknown[]
}

/** A search that is sorted by fields alone has no score, one that asks for no source none of it. */
function hitOf({ _index: index, _id: id, _score: score, _seq_no: sequence, _source: source, sort }: RawHit): SearchHit {
  return { index, id, score: score ?? 0, sequence, source: source ?? ({} as StoredDocument), sort }
}

/** Status 200 is not enough: an engine also answers 200 when shards have failed or time was up. */
function answerFault({ body }: EngineAnswer): EngineFault | undefined {
  if (
    !isRecord(body) ||
    !isRecord(body['hits']) ||
    !Array.isArray(body['hits']['hits']) ||
    !isRecord(body['_shards'])
  ) {
    return new EngineFault('unreadable', { reason: 'the answer of a search is no such answer' })
  }
  const { total, failed } = body['_shards']
  if (body['timed_out'] === true) return new EngineFault('partial', { reason: 'the engine ran out of time' })
  if (failed !== 0) return new EngineFault('partial', { reason: `${String(failed)} of ${String(total)} shards failed` })
  const found = body['hits']['total']
  if (!isRecord(found) || found['relation'] !== 'eq' || typeof found['value'] !== 'number') {
    return new EngineFault('unreadable', { reason: 'the answer of a search has no exact total' })
  }
  return undefined
}
