import { createHash } from 'node:crypto'
import type { MetadataValue } from '@oncall-agent/retrieval'

/** The key's length is one byte in a row; a longer term is known by its SHA-256 instead. */
const MAX_KEY_BYTES = 255
/** No token starts with these characters, so tokens, metadata and digests cannot be taken for one another. */
const METADATA_MARK = '\u0001'
const DIGEST_MARK = '\u0002'

/** A term as rows hold it. */
export interface Term {
  /** The UTF-8 bytes, one character a byte (latin1), which compares and slices without decoding. */
  readonly key: string
  /** 32 bits; its low bits choose the bucket at either granularity. */
  readonly hash: number
}

export function termOf(text: string): Term {
  const key = keyOf(text)
  return { key, hash: hashOf(key) }
}

/**
 * A pair of the effective metadata as a term beside the tokens: filters are postings too, and exact with type,
 * since JSON writes `1`, `"1"` and `true` differently.
 */
export function metadataTerm(name: string, value: MetadataValue): string {
  return METADATA_MARK + JSON.stringify([name, value])
}

function keyOf(text: string): string {
  // Most tokens are ASCII, and are their own key.
  if (isShortAscii(text)) return text
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= MAX_KEY_BYTES) return bytes.toString('latin1')
  return DIGEST_MARK + createHash('sha256').update(bytes).digest('base64')
}

function isShortAscii(text: string): boolean {
  if (text.length > MAX_KEY_BYTES) return false
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false
  return true
}

/** FNV-1a over the bytes, then the finishing steps of MurmurHash3, since buckets use the low bits. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
