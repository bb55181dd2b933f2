import { readRetryAfter } from '../../models/index.ts'
import type { EndingReason } from './sentences.ts'

/** Why a model gave no whole answer. It holds nothing that the server wrote, besides its status. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure'
  readonly reason: EndingReason
  /** Another try may help: the server is busy, or the way to it broke. */
  readonly passing: boolean
  readonly status: number | undefined
  readonly retryAfterMs: number

  constructor(reason: EndingReason, { passing = false, status, retryAfterMs = 0 }: ModelFailureDetail = {}) {
    super(`the chat model failed: ${reason}${status === undefined ? '' : `, status ${status}`}`)
    this.reason = reason
    this.passing = passing
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

interface ModelFailureDetail {
  readonly passing?: boolean
  readonly status?: number
  readonly retryAfterMs?: number
}

/** What the client's library threw, in our words: its own quote the server, and may hold an address or a key. */
export function asModelFailure(thrown: unknown): ModelFailure {
  if (thrown instanceof ModelFailure) return thrown
  const status = numberAt(thrown, 'status')
  // No status: no connection, one that broke, or an error in the middle of the stream.
  if (status === undefined) return new ModelFailure('brokeOff', { passing: true })
  if (status !== 408 && status !== 429 && status < 500) return new ModelFailure('modelRefused', { status })
  const headers = typeof thrown === 'object' && thrown !== null && 'headers' in thrown ? thrown.headers : undefined
  const retryAfter = headers instanceof Headers ? headers.get('retry-after') : null
  const retryAfterMs = readRetryAfter(retryAfter, Date.now()) ?? 0
  return new ModelFailure('model', { passing: true, status, retryAfterMs })
}

function numberAt(value: unknown, key: string): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = (value as Record<string, unknown>)[key]
  return typeof found === 'number' ? found : undefined
}
