import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What may go back into a header and into the log as it came. */
const SANE_ID = /^[\w.:-]{1,128}$/

/** The caller's own `x-request-id` when it is sane, so that their log and ours meet; else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID()
}
