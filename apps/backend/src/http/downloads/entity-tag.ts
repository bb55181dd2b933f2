import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Bytes of the hash that are told: 2^96 states of one document are not met. */
const TAG_BYTES = 12

/** The tag of a state: of whatever of it the caller is shown. */
export function entityTagOf(state: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(state)).digest()
  return `"${hash.subarray(0, TAG_BYTES).toString('base64url')}"`
}

interface Tagged {
  readonly status?: 304
  readonly headers: Readonly<Record<string, string>>
}

/** The headers of an answer with a tag, and 304 when the client has it already (RFC 9110, 13.1.2). */
export function tagged({ headers }: FastifyRequest, tag: string): Tagged {
  const given = headers['if-none-match'] ?? ''
  const known = given.trim() === '*' || given.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
  // To be asked for again each time: the answer may change, and rights to it may end.
  return { ...(known ? { status: 304 } : {}), headers: { etag: tag, 'cache-control': 'private, no-cache' } }
}
