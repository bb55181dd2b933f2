import { PortError } from '@oncall-agent/retrieval'
import { fillingAliasOf, readFamily } from '../indices/index.ts'
import type { FreshIndex, RebuildParts } from './rebuild-parts.ts'

/**
 * Moves every alias to its new index in one step: a search sees all of the old or all of the new.
 * @throws PortError; the step may then still happen, unless the name that an index was filled by is taken from it
 */
export async function swapAliases(parts: RebuildParts, fresh: readonly FreshIndex[]): Promise<void> {
  const { connection, aliases } = parts
  const family = await readFamily(connection, aliases)
  const actions = fresh.flatMap(({ alias, index }) => [
    ...family.filter((old) => old.aliases.includes(alias)).map((old) => ({ remove: { index: old.name, alias } })),
    { remove: { index, alias: fillingAliasOf(index), must_exist: true } },
    { add: { index, alias } }
  ])
  await connection.call({
    operation: 'rebuild index',
    method: 'POST',
    path: '/_aliases',
    body: { actions },
    timeoutMs: parts.patienceMs,
    // Sent twice, the second finds nothing to remove. What became of it is looked at below.
    accepts: ({ types }) => types.includes('aliases_not_found_exception')
  })
  const after = await readFamily(connection, aliases)
  const standing = after.filter(({ name, aliases: names }) =>
    fresh.some(({ alias, index }) => index === name && names.includes(alias))
  )
  if (standing.length === fresh.length) return
  throw new PortError('unavailable', {
    operation: 'rebuild index',
    subject: connection.hosts,
    reason: 'another process moved or deleted indices meanwhile',
    hint: 'Rebuild again when no other rebuild is running.'
  })
}
