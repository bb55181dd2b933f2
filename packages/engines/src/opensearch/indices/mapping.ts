import { TOKENIZER_VERSION } from '@oncall-agent/retrieval'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import type { Dialect, EngineServer } from '../dialects/index.ts'
import { LONGEST_WORD } from './token-stream.ts'

/** Of the documents as they are stored; a change means a rebuild. */
export const FORMAT = 1

/** What an index says of itself, in its mapping. */
export interface IndexMark {
  readonly format: number
  readonly model: string
  readonly dimension: number
  readonly normalised: boolean
  readonly embedder_tokenizer: string
  readonly words: string
}

export function markOf({ model, dimension, normalised, tokenizerVersion }: EmbedderFingerprint): IndexMark {
  return {
    format: FORMAT,
    model,
    dimension,
    normalised,
    embedder_tokenizer: tokenizerVersion,
    words: TOKENIZER_VERSION
  }
}

export interface IndexShape {
  readonly dialect: Dialect
  readonly server: EngineServer
  readonly fingerprint: EmbedderFingerprint
  readonly shards: number
  readonly replicas: number
}

/** How long a deleted document's version is remembered, against a write that hung on the way. The engine's own is a minute. */
const TOMBSTONES_KEPT = '1h'
const EXACT = { type: 'keyword' }
/** Given back as it was written, and never looked at. */
const KEPT = { type: 'text', index: false }
/** Tokens v1, made by us and split at white space. Positions are not needed. */
const WORDS = { type: 'text', analyzer: 'words', index_options: 'freqs' }

/** Body of the request that makes an index. Nobody searches it while it is filled, so it is refreshed at the end alone. */
export function indexBody({ dialect, server, fingerprint, shards, replicas }: IndexShape): object {
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        refresh_interval: '-1',
        gc_deletes: TOMBSTONES_KEPT,
        analysis: {
          tokenizer: { white_space: { type: 'whitespace', max_token_length: LONGEST_WORD } },
          analyzer: { words: { type: 'custom', tokenizer: 'white_space' } }
        },
        ...dialect.indexSettings(server)
      }
    },
    mappings: {
      dynamic: 'strict',
      _meta: markOf(fingerprint),
      // They can be made again of title, body and chunks, and are half of what a document weighs.
      _source: { excludes: ['title_words', 'body_words', 'vector'] },
      properties: {
        pair: EXACT,
        tenant_id: EXACT,
        knowledge_base_id: EXACT,
        document_id: EXACT,
        knowledge_type: EXACT,
        project: EXACT,
        equipment: EXACT,
        error_codes: EXACT,
        // A double, because a time stamp of a file system may have a fraction.
        created_at: { type: 'double' },
        content_hash: KEPT,
        has_vector: { type: 'boolean' },
        title: KEPT,
        body: KEPT,
        title_words: WORDS,
        body_words: WORDS,
        vector: dialect.vectorMapping(fingerprint.dimension)
      }
    }
  }
}
