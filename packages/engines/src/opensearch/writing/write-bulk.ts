import { EngineFault, isRecord, isTransient, portErrorOf, refusalOf } from '../connection/index.ts'
import type { EngineAnswer, EngineConnection } from '../connection/index.ts'
import type { BulkOperation } from './bulk-operation.ts'

export interface BulkRequest {
  readonly operation: string
  /** Visible to every search when it resolves; else some time after. */
  readonly isVisible: boolean
  readonly timeoutMs?: number
}

/** What became of one operation. */
export type BulkOutcome =
  | { readonly isConflict: false; readonly index: string }
  /** A higher version is there, or its tombstone. */
  | { readonly isConflict: true; readonly version: number | undefined }

interface BulkItem {
  readonly _index: string
  readonly status: number
  readonly error?: unknown
}

const CONFLICT = 409
const NOT_FOUND = 404

/**
 * Sends operations until each is done or is known to be superseded; an answer is not enough, for it has one a operation.
 * @returns one outcome an operation, in their order
 * @throws PortError of the first operation that was refused for another reason; the others may have been done
 */
export async function writeBulk(
  connection: EngineConnection,
  operations: readonly BulkOperation[],
  request: BulkRequest
): Promise<readonly BulkOutcome[]> {
  const outcomes = new Map<BulkOperation, BulkOutcome>()
  const { timeoutMs = connection.timeoutMs } = request
  let left = operations
  for (let round = 0; left.length > 0; round++) {
    if (round > 0) await connection.pause(round)
    const items = await sendOperations(connection, left, { ...request, timeoutMs })
    const again: BulkOperation[] = []
    for (const [place, operation] of left.entries()) {
      const outcome = outcomeOf(items[place]!)
      if (!(outcome instanceof EngineFault)) outcomes.set(operation, outcome)
      else if (round < connection.retries && isTransient(outcome)) again.push(operation)
      else throw portErrorOf(outcome, { operation: request.operation, subject: connection.hosts, timeoutMs })
    }
    left = again
  }
  return operations.map((operation) => outcomes.get(operation)!)
}

async function sendOperations(
  connection: EngineConnection,
  operations: readonly BulkOperation[],
  { operation, isVisible, timeoutMs }: Required<BulkRequest>
): Promise<readonly BulkItem[]> {
  const { body } = await connection.call({
    operation,
    method: 'POST',
    path: '/_bulk',
    query: {
      // Without it a server may make a missing index by itself, with a mapping of its own guess.
      require_alias: true,
      // `wait_for` would wait for the next refresh, up to a second; documents come one at a time here.
      refresh: isVisible,
      timeout: `${timeoutMs}ms`
    },
    lines: operations.flatMap(({ lines }) => lines),
    timeoutMs,
    faultOf: (answer) => bulkFault(answer, operations.length)
  })
  const { items } = body as { readonly items: readonly Readonly<Record<string, BulkItem>>[] }
  return items.map((item) => Object.values(item)[0]!)
}

function bulkFault({ body }: EngineAnswer, operations: number): EngineFault | undefined {
  const items = isRecord(body) ? body['items'] : undefined
  if (Array.isArray(items) && items.length === operations && items.every(hasStatus)) return undefined
  return new EngineFault('unreadable', { reason: 'the answer of a bulk request is no such answer' })
}

function hasStatus(item: unknown): boolean {
  const [answer] = isRecord(item) ? Object.values(item) : []
  return isRecord(answer) && typeof answer['status'] === 'number'
}

function outcomeOf(item: BulkItem): BulkOutcome | EngineFault {
  const { status, error, _index } = item
  // What was to be deleted and is not there says 404 too, but with no error.
  if (error === undefined && (status < 300 || status === NOT_FOUND)) return { isConflict: false, index: _index }
  const fault = refusalOf(status, item)
  return status === CONFLICT ? { isConflict: true, version: versionIn(fault.message) } : fault
}

function versionIn(message: string): number | undefined {
  const version = /current version \[(\d+)\]/.exec(message)?.[1]
  return version === undefined ? undefined : Number(version)
}
