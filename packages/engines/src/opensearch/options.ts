import type { EmbedderFingerprint, PortError } from '@oncall-agent/retrieval'

export interface SearchEngineOptions {
  /** Which of the two engines stands behind the addresses; asking the wrong one fails with a hint, never half works. */
  readonly engine: 'opensearch' | 'elasticsearch'
  /** One address or several, joined by commas: `https://node-1:9200,https://node-2:9200`. Without name and password. */
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** Instead of name and password. */
  readonly apiKey?: string
  /** Of the embedder whose vectors the index holds. */
  readonly fingerprint: EmbedderFingerprint
  /** Types that an entry may have; the default ones unless said otherwise. */
  readonly knowledgeTypes?: readonly string[]
  /** Milliseconds that one attempt of a call may take; default 10,000. */
  readonly timeoutMs?: number
  /** Further attempts after a failure that may pass, each at another node where there are several; default 3. */
  readonly retries?: number
  /** Of each type's index, taken at the next rebuild; default 1. */
  readonly shards?: number
  /** Copies of each shard beside the first, taken at the next rebuild; default 1. */
  readonly replicas?: number
  /** Told when an index that is of no use any more could not be deleted; the next rebuild deletes it. */
  readonly onBackgroundFailure?: (error: PortError) => void
}
