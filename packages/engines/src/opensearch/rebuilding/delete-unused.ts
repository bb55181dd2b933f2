import type { PortError } from '@oncall-agent/retrieval'
import { fillingAliasOf, isFillingAlias, isIndexFor, pathOf, readFamily } from '../indices/index.ts'
import type { FoundIndex } from '../indices/index.ts'
import type { RebuildParts } from './rebuild-parts.ts'

/**
 * Deletes indices that a rebuild made and that nothing searches: half-made ones, and old ones. What cannot be deleted harms
 * no search and no rebuild: it is told, and the next rebuild tries again. Never rejects.
 */
export async function deleteUnused(parts: RebuildParts): Promise<void> {
  const { connection, aliases, onBackgroundFailure } = parts
  try {
    const unused = (await readFamily(connection, aliases)).filter((index) => isUnused(index, aliases))
    // Each for itself: one that is closed for writing must not keep the others.
    await Promise.all(unused.map((index) => deleteIndex(parts, index).catch(onBackgroundFailure)))
  } catch (error) {
    onBackgroundFailure(error as PortError)
  }
}

function isUnused(index: FoundIndex, aliases: readonly string[]): boolean {
  return index.aliases.every(isFillingAlias) && aliases.some((alias) => isIndexFor(alias, index.name))
}

async function deleteIndex(parts: RebuildParts, index: FoundIndex): Promise<void> {
  if (index.aliases.length > 0 && !(await giveUp(parts, index))) return
  await parts.connection.call({
    operation: 'delete an old index',
    method: 'DELETE',
    path: pathOf([index.name]),
    timeoutMs: parts.patienceMs,
    accepts: ({ types }) => types.includes('index_not_found_exception')
  })
}

/**
 * Takes away the name that a half-made index was filled by. A swap that hangs somewhere and comes late then fails as a whole,
 * for it takes that name away too; and when it came before, this fails, and the index is in use.
 */
async function giveUp({ connection }: RebuildParts, { name }: FoundIndex): Promise<boolean> {
  let isInUse = false
  const remove = { index: name, alias: fillingAliasOf(name), must_exist: true }
  await connection.call({
    operation: 'delete an old index',
    method: 'POST',
    path: '/_aliases',
    body: { actions: [{ remove }] },
    accepts: ({ types }) => (isInUse = types.includes('aliases_not_found_exception'))
  })
  return !isInUse
}
