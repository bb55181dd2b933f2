import { createHash } from 'node:crypto'
import type { Embedder } from '@oncall-agent/retrieval'
import type { ChunkingSettings, EntrySettings } from './settings.ts'

/**
 * Grows whenever the same bytes would give another text or other chunks, so that every document is read again.
 * 1: first release.
 */
const extractorVersion = 1

/** 64 bits: among 100,000 documents two ids are equal with a chance of 3 in 10,000,000,000. */
const idLength = 16

/** Where a document belongs. */
export interface KnowledgeBaseRef {
  readonly knowledgeBaseId: string
  readonly tenantId: string
  readonly ownerUserId: string
}

/** The id of a document that a key (an absolute path, or a caller's own id) names: the same on every run; hex digits. */
export function documentIdOf(base: KnowledgeBaseRef, key: string): string {
  const hash = createHash('sha256')
  // NUL is in none of them, so no two triples read alike.
  hash.update([base.tenantId, base.knowledgeBaseId, key].join('\0'))
  return hash.digest('hex').slice(0, idLength)
}

/** Whatever decides a document's chunks, vectors and entry besides its bytes. */
export interface ContentConditions {
  /** Its model, and whether it gives token vectors: switching them on must reach what is indexed already. */
  readonly embedder: Pick<Embedder, 'fingerprint' | 'keepsTokenVectors'>
  readonly chunking: ChunkingSettings | 'whole'
  /** Types of knowledge: a document of one that was not configured is another entry when it is. */
  readonly entries: EntrySettings
  readonly title?: string
  /** A PDF under the name of a text is refused, so the name is a part of what the bytes mean. */
  readonly extension: string
  /** What an upload says of a document beside its bytes; absent for files of a folder. */
  readonly form?: unknown
}

/** SHA-256 of bytes and conditions, in hex: equal means that indexing again would change nothing. */
export function contentHashOf(bytes: Uint8Array, conditions: ContentConditions): string {
  const { embedder, chunking, entries, title = null, extension, form } = conditions
  const { model, dimension, normalised, tokenizerVersion } = embedder.fingerprint
  const cut = chunking === 'whole' ? chunking : [chunking.strategy, chunking.size, chunking.overlap, chunking.unit]
  const vectors = [model, dimension, normalised, tokenizerVersion, embedder.keepsTokenVectors]
  const types = [entries.knowledgeTypes.toSorted(), entries.defaultType]
  const stated = [extractorVersion, vectors, cut, types, title, extension, ...(form === undefined ? [] : [form])]
  return createHash('sha256').update(JSON.stringify(stated)).update('\0').update(bytes).digest('hex')
}
