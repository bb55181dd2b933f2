import { readRetryAfter } from '../../models/index.ts'
import { redact } from '../../observability/index.ts'
import type { EndingReason } from './sentences.ts'

/** Why a model gave no whole answer. It holds nothing that the server wrote, besides its status. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly reason: EndingReason
  /** Another try may help: the server is busy, or the way to it broke. */
  readonly passing: boolean
  readonly status: number | undefined
  readonly retryAfterMs: number
  /** Of what was thrown, outermost first: class, and the short code of the system or the server, such as ECONNREFUSED. */
  readonly causes: readonly string[]

  constructor(
    reason: EndingReason,
    { passing = false, status, retryAfterMs = 0, causes = [] }: ModelFailureDetail = {}
  ) {
    super(`the chat model failed: ${reason}${status === undefined ? '' : `, status ${status}`}`)
    this.reason = reason
    this.passing = passing
    this.status = status
    this.retryAfterMs = retryAfterMs
    this.causes = causes
  }

  /** It is the server's state, or the settings', and not this one request: the next one will fare no better. */
  get isOutage(): boolean {
    if (this.reason === 'modelRefused') return this.status === undefined || !REQUEST_ONLY.test(String(this.status))
    return OUTAGES.has(this.reason)
  }
}

interface ModelFailureDetail {
  readonly passing?: boolean
  readonly status?: number
  readonly retryAfterMs?: number
  readonly causes?: readonly string[]
}

const OUTAGES: ReadonlySet<EndingReason> = new Set(['model', 'silent', 'brokeOff', 'unreachable'])
/** Codes by which a connection never came to be: nothing listens, no such host, no way, a certificate that is not trusted. */
const NEVER_CONNECTED =
  / (ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|\w*CERT\w*|\w*SIGNATURE\w*)$/
/** Statuses by which a server refuses one request: not the key (401, 403), nor the address (3xx, 404, 405). */
const REQUEST_ONLY = /^4(?!0[1345])\d\d$/
/** Errors that are looked at, one within the other; a library wraps two or three. */
const CAUSES_TOLD = 6
/** How a code looks; anything else may be a text of the server's. */
const shortCode = /^[\w.-]{1,64}$/

/** What the client's library threw, in our words: its own quote the server, and may hold an address or a key. */
export function asModelFailure(thrown: unknown): ModelFailure {
  if (thrown instanceof ModelFailure) return thrown
  const status = numberAt(thrown, 'status')
  const causes = causesOf(thrown)
  // No status: no connection, one that broke, or an error in the middle of the stream.
  if (status === undefined) {
    const reason = causes.some((cause) => NEVER_CONNECTED.test(cause)) ? 'unreachable' : 'brokeOff'
    return new ModelFailure(reason, { passing: true, causes })
  }
  if (status !== 408 && status !== 429 && status < 500) return new ModelFailure('modelRefused', { status, causes })
  const headers = typeof thrown === 'object' && thrown !== null && 'headers' in thrown ? thrown.headers : undefined
  const retryAfter = headers instanceof Headers ? headers.get('retry-after') : null
  const retryAfterMs = readRetryAfter(retryAfter, Date.now()) ?? 0
  return new ModelFailure('model', { passing: true, status, retryAfterMs, causes })
}

/** Classes and codes, and no word of their messages: those quote the server, and may hold an address or a key. */
function causesOf(thrown: unknown): readonly string[] {
  const causes: string[] = []
  for (let each = thrown; each instanceof Error && causes.length < CAUSES_TOLD; each = innerOf(each)) {
    const code: unknown = 'code' in each ? each.code : undefined
    const shown = typeof code === 'string' && shortCode.test(code) ? ` ${redact(code) as string}` : ''
    causes.push(`${each.constructor.name}${shown}`)
  }
  return causes
}

/** Of several addresses of one host the first one that failed speaks for all. */
function innerOf(error: Error): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error.cause
}

function numberAt(value: unknown, key: string): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = (value as Record<string, unknown>)[key]
  return typeof found === 'number' ? found : undefined
}
