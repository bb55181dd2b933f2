/** What went wrong with one call, before anyone says what it means for the caller. */
export type FaultKind =
  /** No connection, or it broke. */
  | 'unreachable'
  | 'timed-out'
  /** It answered with a status that says no. */
  | 'refused'
  /** It answered, but without some shards or some time. */
  | 'partial'
  /** Whatever answered does not speak as a search engine does. */
  | 'unreadable'

export interface FaultDetail {
  readonly status?: number
  /** The engine's name for it, `index_not_found_exception` say, and those behind it. */
  readonly types?: readonly string[]
  /** The engine's own words. They may quote documents, so they go into no message to users. */
  readonly reason: string
  readonly index?: string
}

/**
 * The cause of a PortError. It is made anew of what is worth knowing: the client's own errors carry the whole request,
 * credentials and documents included, and end up in logs.
 */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
  readonly kind: FaultKind
  readonly status: number | undefined
  readonly types: readonly string[]
  readonly index: string | undefined

  constructor(kind: FaultKind, { status, types = [], reason, index }: FaultDetail) {
    super(
      `${[status, ...types].filter((part) => part !== undefined).join(' ') || kind}: ${reason.slice(0, LONGEST_REASON)}`
    )
    this.kind = kind
    this.status = status
    this.types = types
    this.index = index
  }
}

/** Characters. Engines quote whole queries. */
const LONGEST_REASON = 500
/** Overload, and a shard's queue that is full. */
const TOO_MANY_REQUESTS = 429

/** Whether the same call may well succeed in a moment, or at another node. Every call of ours may be sent twice. */
export function isTransient(fault: EngineFault): boolean {
  if (fault.kind === 'refused') {
    return fault.status === TOO_MANY_REQUESTS || (fault.status ?? 0) >= 500 || wasJustReplaced(fault)
  }
  return fault.kind !== 'unreadable'
}

/** A rebuild deletes the old index while searches that began before are still in it. */
function wasJustReplaced({ types, index = '' }: EngineFault): boolean {
  if (types.includes('search_context_missing_exception')) return true
  return types.includes('index_not_found_exception') && /_v1_\d{14}_[\da-f]{8}$/.test(index)
}
