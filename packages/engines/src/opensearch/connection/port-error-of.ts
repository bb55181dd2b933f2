import { PortError } from '@oncall-agent/retrieval'
import type { PortErrorDetail, PortFailure } from '@oncall-agent/retrieval'
import type { EngineFault } from './engine-fault.ts'

export const REBUILD_HINT = 'Run `oncall reindex --search-only`: it fills the search engine from the data folder.'

export interface FaultPlace {
  readonly operation: string
  /** Hosts of the engine. */
  readonly subject: string
  /** Of one attempt, milliseconds. */
  readonly timeoutMs: number
}

type Meaning = readonly [PortFailure, Pick<PortErrorDetail, 'reason' | 'hint'>]

/** What a fault means for the caller. The engine's own words stay in the cause. */
export function portErrorOf(fault: EngineFault, { operation, subject, timeoutMs }: FaultPlace): PortError {
  const [failure, { reason, hint }] = meaningOf(fault, timeoutMs)
  return new PortError(failure, { operation, subject, reason, cause: fault, ...(hint === undefined ? {} : { hint }) })
}

function meaningOf(fault: EngineFault, timeoutMs: number): Meaning {
  switch (fault.kind) {
    case 'unreachable':
      return unavailable('the search engine cannot be reached', 'Check `search.url`, and that the engine is running.')
    case 'timed-out':
      return unavailable(
        `the search engine did not answer within ${timeoutMs} ms`,
        'Check its load and its log; `search.timeoutMs` says how long to wait.'
      )
    case 'partial':
      return unavailable('the search engine could not look at everything', 'Check the health of its shards.')
    case 'unreadable':
      return unavailable('whatever answered is no search engine', 'Check `search.url`: a proxy may answer there.')
    case 'refused':
      return refusalMeaning(fault)
  }
}

/** Bodies of ours that an engine cannot take with the indices that it has: then those are not the ones we made. */
const OTHER_MAPPING = [
  'strict_dynamic_mapping_exception',
  'mapper_parsing_exception',
  'document_parsing_exception',
  'query_shard_exception',
  'script_exception'
]

function refusalMeaning({ status = 0, types, index, message }: EngineFault): Meaning {
  if (types.includes('cluster_block_exception')) return blockMeaning(message)
  if (status === 401 || status === 403) {
    return unavailable(
      'the search engine refuses our credentials',
      'Check `search.username` and `search.password`, or `search.apiKey`, and what they may do.'
    )
  }
  if (types.includes('index_not_found_exception')) {
    return unavailable(`the search engine has no ${index ?? 'index of ours'}`, REBUILD_HINT)
  }
  if (types.includes('index_closed_exception')) {
    return unavailable(
      'an index of ours is closed in the search engine',
      'Open it again, or run `oncall reindex --search-only`.'
    )
  }
  if (status === 413) return ['invalid-argument', { reason: 'the document is larger than the search engine takes' }]
  if (status === 429) return unavailable('the search engine is overloaded', 'Try again, or give it more room.')
  if (status >= 500) {
    return unavailable('the search engine is not able to answer', 'Check the health and the log of its cluster.')
  }
  if (types.includes('too_many_clauses') || types.includes('too_many_nested_clauses')) {
    return ['invalid-argument', { reason: 'more words are asked for than the search engine looks up at once' }]
  }
  if (types.some((type) => OTHER_MAPPING.includes(type))) {
    return ['corrupt', { reason: 'the index is not as this release makes it', hint: REBUILD_HINT }]
  }
  return ['invalid-argument', { reason: `the search engine refuses the request with status ${status}` }]
}

/** An engine closes its indices for writing when its disk is nearly full, and people do for other reasons. */
function blockMeaning(message: string): Meaning {
  if (!/flood-stage|read-only-allow-delete/.test(message)) {
    return unavailable('the search engine has closed an index', 'Check the blocks of the index and of the cluster.')
  }
  const hint = 'Give it room; the engine opens its indices for writing by itself then.'
  return ['disk-full', { reason: 'the disk of the search engine is full', hint }]
}

function unavailable(reason: string, hint: string): Meaning {
  return ['unavailable', { reason, hint }]
}
