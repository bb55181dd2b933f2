import { EngineFault, isRecord } from '../connection/index.ts'
import type { EngineAnswer } from '../connection/index.ts'
import { fillingAliasOf, indexBody, newIndexName, pathOf } from '../indices/index.ts'
import type { FreshIndex, RebuildParts } from './rebuild-parts.ts'

/** A new, empty index for each type, under a name that nothing searches. */
export async function createIndices(parts: RebuildParts): Promise<FreshIndex[]> {
  const made = await Promise.allSettled(parts.aliases.map((alias) => createIndex(parts, alias)))
  // After all of them have ended: one that came later would be deleted by nobody.
  return made.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

async function createIndex(parts: RebuildParts, alias: string): Promise<FreshIndex> {
  const index = newIndexName(alias, new Date())
  const timeoutMs = parts.patienceMs
  await parts.connection.call({
    operation: 'rebuild index',
    method: 'PUT',
    path: pathOf([index]),
    // Its first shards must be there, or filling would wait for them.
    query: { wait_for_active_shards: 1, timeout: `${timeoutMs}ms` },
    body: { ...indexBody(parts.shape), aliases: { [fillingAliasOf(index)]: {} } },
    timeoutMs,
    accepts: isSentTwice,
    faultOf: creationFault
  })
  return { alias, index }
}

/** The name is new, so whoever made it is an attempt of ours whose answer was lost. */
function isSentTwice({ types }: EngineFault): boolean {
  return types.includes('resource_already_exists_exception')
}

function creationFault({ body }: EngineAnswer): EngineFault | undefined {
  if (isRecord(body) && body['acknowledged'] === true && body['shards_acknowledged'] === true) return undefined
  return new EngineFault('partial', { reason: 'the shards of a new index did not start in time' })
}
