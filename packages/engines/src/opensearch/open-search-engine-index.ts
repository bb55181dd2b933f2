import { DEFAULT_KNOWLEDGE_TYPES } from '@oncall-agent/retrieval'
import type { StructuredIndex } from '@oncall-agent/retrieval'
import { EngineConnection, readAddresses } from './connection/index.ts'
import { dialects } from './dialects/index.ts'
import type { SearchEngineOptions } from './options.ts'
import { SearchEngineIndex } from './search-engine-index.ts'

/** Milliseconds of one attempt: a search takes some ten, a write to a cluster that elects a manager some thousand. */
const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_RETRIES = 3
const DEFAULT_SHARDS = 1
/** The second copy that lets a cluster lose a node; a single node does well without. */
const DEFAULT_REPLICAS = 1

/**
 * Structured search by an engine behind an address. Dials nothing: the first call does, and finds out then whether the engine
 * is the one that was configured. An engine without our indices answers `unavailable` until the first `rebuild`.
 * @throws PortError `invalid-argument` for an address that is none
 */
export function openSearchEngineIndex(options: SearchEngineOptions): StructuredIndex {
  const { engine, url, username, password, apiKey, fingerprint } = options
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options
  const { shards = DEFAULT_SHARDS, replicas = DEFAULT_REPLICAS } = options
  const { knowledgeTypes = DEFAULT_KNOWLEDGE_TYPES, onBackgroundFailure = () => {} } = options
  const addresses = readAddresses(url)
  return new SearchEngineIndex({
    engine,
    connection: new EngineConnection({ addresses, username, password, apiKey, timeoutMs, retries }),
    shape: { dialect: dialects[engine], fingerprint, shards, replicas },
    knowledgeTypes,
    onBackgroundFailure
  })
}
