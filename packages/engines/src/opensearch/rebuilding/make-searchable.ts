import { PortError } from '@oncall-agent/retrieval'
import { EngineFault, isRecord } from '../connection/index.ts'
import type { EngineAnswer } from '../connection/index.ts'
import { pathOf } from '../indices/index.ts'
import type { FilledIndex, RebuildParts } from './rebuild-parts.ts'

/** Refreshes the new indices, gives them their usual settings, and counts what is in them. */
export async function makeSearchable(parts: RebuildParts, filled: readonly FilledIndex[]): Promise<void> {
  const { connection } = parts
  const call = { operation: 'rebuild index', timeoutMs: parts.patienceMs }
  const names = filled.map(({ index }) => index)
  await connection.call({
    ...call,
    method: 'PUT',
    path: pathOf(names, '/_settings'),
    body: { index: { refresh_interval: null } }
  })
  await connection.call({ ...call, method: 'POST', path: pathOf(names, '/_refresh'), faultOf: shardFault })
  for (const { index, documents } of filled) {
    const { body } = await connection.call({
      ...call,
      method: 'GET',
      path: pathOf([index], '/_count'),
      faultOf: shardFault
    })
    if (isRecord(body) && body['count'] === documents) continue
    throw new PortError('unavailable', {
      operation: 'rebuild index',
      subject: index,
      reason: `the new index does not hold the ${documents} documents that were written to it`,
      hint: 'Rebuild again; check that nothing else writes to or deletes indices of the search engine.'
    })
  }
}

function shardFault({ body }: EngineAnswer): EngineFault | undefined {
  const shards = isRecord(body) ? body['_shards'] : undefined
  if (isRecord(shards) && shards['failed'] === 0) return undefined
  return new EngineFault('partial', { reason: 'a shard of a new index failed' })
}
