import type { StructuredEntry } from '@oncall-agent/retrieval'
import { aliasOf, documentKey, fillingAliasOf } from '../indices/index.ts'
import { deleteOperation, indexOperation, writeBulk } from '../writing/index.ts'
import type { BulkOperation } from '../writing/index.ts'
import type { FilledIndex, FreshIndex, RebuildParts } from './rebuild-parts.ts'

/** Characters of a bulk request, a little below its bytes; an engine takes 100 MB, and works best with a few. */
const BATCH_CHARACTERS = 4_000_000
const BATCH_OPERATIONS = 500

/**
 * Writes the entries, the last of one key winning as it would by `replaceDocument`.
 * @throws what the source threw; PortError
 */
export async function fillIndices(
  parts: RebuildParts,
  fresh: readonly FreshIndex[],
  entries: AsyncIterable<StructuredEntry>
): Promise<FilledIndex[]> {
  const targets = new Map(fresh.map(({ alias, index }) => [alias, fillingAliasOf(index)]))
  const placed = new Map<string, string>()
  let batch: BulkOperation[] = []
  let characters = 0
  const send = async (): Promise<void> => {
    await writeBulk(parts.connection, batch, {
      operation: 'rebuild index',
      isVisible: false,
      timeoutMs: parts.patienceMs
    })
    batch = []
    characters = 0
  }
  for await (const entry of entries) {
    parts.check(entry)
    const key = documentKey(entry, entry.documentId)
    const target = targets.get(aliasOf(entry.knowledgeType))!
    const version = parts.clock.next()
    const before = placed.get(key)
    if (before !== undefined && before !== target) batch.push(deleteOperation(key, { target: before, version }))
    const operation = indexOperation(entry, { target, version })
    batch.push(operation)
    placed.set(key, target)
    characters += operation.lines.reduce((sum, line) => sum + line.length, 0)
    if (characters >= BATCH_CHARACTERS || batch.length >= BATCH_OPERATIONS) await send()
  }
  await send()
  const documents = [...placed.values()]
  return fresh.map((each) => ({
    ...each,
    documents: documents.filter((target) => target === targets.get(each.alias)).length
  }))
}
