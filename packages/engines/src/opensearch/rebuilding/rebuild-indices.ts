import type { StructuredEntry } from '@oncall-agent/retrieval'
import { checkNames, readFamily } from '../indices/index.ts'
import { createIndices } from './create-indices.ts'
import { fillIndices } from './fill-indices.ts'
import { deleteUnused } from './delete-unused.ts'
import { makeSearchable } from './make-searchable.ts'
import type { RebuildParts } from './rebuild-parts.ts'
import { swapAliases } from './swap-aliases.ts'

/**
 * Fills new indices beside the old ones and moves all aliases in one step of the engine. Whatever fails before that step
 * leaves the old indices in use; the new ones are then deleted.
 * @throws what the source threw; PortError
 */
export async function rebuildIndices(parts: RebuildParts, entries: AsyncIterable<StructuredEntry>): Promise<void> {
  checkNames(parts.aliases, await readFamily(parts.connection, parts.aliases))
  // What an earlier rebuild left that was killed.
  await deleteUnused(parts)
  try {
    const fresh = await createIndices(parts)
    const filled = await fillIndices(parts, fresh, entries)
    await makeSearchable(parts, filled)
    await swapAliases(parts, fresh)
  } finally {
    // After a failure the new ones, else the old ones: whichever stand behind no alias.
    await deleteUnused(parts)
  }
}
