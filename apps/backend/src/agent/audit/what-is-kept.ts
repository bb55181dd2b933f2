import { createHash } from 'node:crypto'
import { redact } from '../../observability/index.ts'
import { cutText } from './cut-text.ts'

/** UTF-8 bytes of a call's arguments that are kept. */
const ARGUMENTS_BYTES = 16_384
/** Characters of a result that are kept, in UTF-16 units; the whole is known by its hash. */
const EXCERPT_LIMIT = 500
/** Characters that are searched for secrets, so that one which is cut by the excerpt is hidden as a whole. */
const SEARCHED_CHARACTERS = 16_384
/** `redact` counts levels from here and stops at 8: arguments are kept to a depth of 32. */
const ARGUMENTS_DEPTH = -24

/** Arguments as JSON text: without secrets, and cut where they are too long, with a word that says so. */
export function keptArguments(input: unknown): string {
  const text = (JSON.stringify(redact(input, ARGUMENTS_DEPTH)) ?? 'null').toWellFormed()
  const bytes = Buffer.byteLength(text)
  if (bytes <= ARGUMENTS_BYTES) return text
  return `${firstBytes(text)}… [cut: ${bytes} bytes in all]`
}

/** What is kept of a result; nulls where there was none. */
export interface KeptResult {
  readonly resultHash: string | null
  readonly resultBytes: number | null
  readonly resultExcerpt: string
}

export function keptResult(result: string | null): KeptResult {
  if (result === null) return { resultHash: null, resultBytes: null, resultExcerpt: '' }
  const searched = redact(result.slice(0, SEARCHED_CHARACTERS)) as string
  return {
    resultHash: createHash('sha256').update(result, 'utf8').digest('hex'),
    resultBytes: Buffer.byteLength(result),
    resultExcerpt: cutText(searched, EXCERPT_LIMIT).toWellFormed()
  }
}

/** Whole characters only: bytes that follow a lead byte are 10xxxxxx. */
function firstBytes(text: string): string {
  const bytes = Buffer.from(text)
  let end = ARGUMENTS_BYTES
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
