import type { ApiResponse } from '@opensearch-project/opensearch'
import { EngineFault } from './engine-fault.ts'

/** The client's errors by name: its classes come with the lazy import. */
interface ClientError extends Error {
  readonly meta?: Partial<ApiResponse>
}

interface EngineReason {
  readonly type?: string
  readonly reason?: string
  readonly index?: string
  readonly caused_by?: EngineReason
  readonly root_cause?: readonly EngineReason[]
  readonly failed_shards?: readonly { readonly reason?: EngineReason }[]
}

/** The fault of whatever the client threw. */
export function readFault(error: unknown): EngineFault {
  const { name, message, meta } = error as ClientError
  switch (name) {
    case 'ResponseError':
      return refusalOf(meta?.statusCode ?? 0, meta?.body)
    case 'TimeoutError':
      return new EngineFault('timed-out', { reason: message })
    case 'ConnectionError':
    case 'NoLivingConnectionsError':
      return new EngineFault('unreachable', { reason: message })
    case 'DeserializationError':
      return new EngineFault('unreadable', { reason: 'the answer is no JSON' })
    default:
      return new EngineFault('unreadable', { reason: `${name}: ${message}` })
  }
}

/** Of a status and its body: of a whole answer, or of one item of a bulk answer. */
export function refusalOf(status: number, body: unknown): EngineFault {
  const error = isRecord(body) ? body['error'] : undefined
  if (!isRecord(error)) {
    // A proxy before the engine, or an engine that answers with a sentence.
    return new EngineFault('refused', { status, reason: typeof error === 'string' ? error : 'no reason given' })
  }
  const reasons = chainOf(error)
  return new EngineFault('refused', {
    status,
    types: [...new Set(reasons.flatMap(({ type }) => type ?? []))],
    // The last of the chain is the nearest to the cause.
    reason: reasons.findLast(({ reason }) => reason !== undefined)?.reason ?? 'no reason given',
    ...indexOf(reasons)
  })
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Outermost first. Bounded, for it is another's data. */
function chainOf(error: EngineReason, depth = 8): EngineReason[] {
  if (depth === 0) return [error]
  const inner = [...(error.root_cause ?? []), error.failed_shards?.[0]?.reason, error.caused_by]
  return [
    error,
    ...inner.flatMap((reason) => (reason === undefined || reason === null ? [] : chainOf(reason, depth - 1)))
  ]
}

function indexOf(reasons: readonly EngineReason[]): { index?: string } {
  const named = reasons.find(({ index }) => typeof index === 'string')
  return named?.index === undefined ? {} : { index: named.index }
}
