/**
 * What went wrong between here and a model's server:
 * `too-long`: it refuses a text as too long; `refused`: it does not want this request (4xx); `unauthorised`: 401 or 403;
 * `unknown-address`: 404 or 405; `busy`: 429, 408 or 5xx; `redirected`; `timed-out`: no whole answer within the deadline;
 * `unreachable`: no connection, or it broke; `unreadable`: the answer is no JSON, or too large.
 */
export type RemoteFailureKind =
  | 'too-long'
  | 'refused'
  | 'unauthorised'
  | 'unknown-address'
  | 'busy'
  | 'redirected'
  | 'timed-out'
  | 'unreachable'
  | 'unreadable'

export interface RemoteFailureDetail {
  readonly kind: RemoteFailureKind
  /** Our words only; never any of the server's, nor its address or key. */
  readonly reason: string
  readonly status?: number
  /** The server's or the system's short name for it, such as `rate_limit_exceeded` or `ECONNRESET`. */
  readonly code?: string
  /** How long the server asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number
  readonly attempts?: number
}

/** A call that failed. It holds nothing that was sent or received besides a status and a short code. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure'
  readonly kind: RemoteFailureKind
  readonly reason: string
  readonly status: number | undefined
  readonly code: string | undefined
  readonly retryAfterMs: number | undefined
  readonly attempts: number

  constructor({ kind, reason, status, code, retryAfterMs, attempts = 1 }: RemoteFailureDetail) {
    super(`${reason}${code === undefined ? '' : ` [${code}]`}${attempts > 1 ? ` after ${attempts} attempts` : ''}`)
    this.kind = kind
    this.reason = reason
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
    this.attempts = attempts
  }

  /** Another try may help: the server is busy, or the way to it broke. */
  get passing(): boolean {
    return this.kind === 'busy' || this.kind === 'unreachable'
  }

  /** It was this request that the server did not take; the next one may be fine. */
  get concernsRequestOnly(): boolean {
    return this.kind === 'too-long' || this.kind === 'refused'
  }

  /** The same failure, with how often it was tried. */
  after(attempts: number): RemoteFailure {
    return new RemoteFailure({ ...detailOf(this), attempts })
  }
}

function detailOf({ kind, reason, status, code, retryAfterMs }: RemoteFailure): RemoteFailureDetail {
  return {
    kind,
    reason,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}
