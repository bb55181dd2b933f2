import { isRecord } from '../connection/index.ts'
import type { EngineConnection } from '../connection/index.ts'
import type { IndexMark } from './mapping.ts'
import { pathOf } from './names.ts'

/** An index as the engine describes it. */
export interface FoundIndex {
  readonly name: string
  readonly aliases: readonly string[]
  /** What it says of itself; undefined when it was not made by us. */
  readonly mark: IndexMark | undefined
}

/**
 * The indices behind some aliases.
 * @throws PortError `unavailable` with a hint when one of them is missing
 */
export async function readIndices(connection: EngineConnection, aliases: readonly string[]): Promise<FoundIndex[]> {
  const { body } = await connection.call({ operation: 'open index', method: 'GET', path: pathOf(aliases) })
  return foundIn(body)
}

/** Every index whose name begins with one of the aliases, in use or not. */
export async function readFamily(connection: EngineConnection, aliases: readonly string[]): Promise<FoundIndex[]> {
  const { body } = await connection.call({
    operation: 'rebuild index',
    method: 'GET',
    path: pathOf(aliases.map((alias) => `${alias}*`)),
    query: { expand_wildcards: 'all', allow_no_indices: true }
  })
  return foundIn(body)
}

function foundIn(body: unknown): FoundIndex[] {
  return Object.entries(isRecord(body) ? body : {}).map(([name, about]) => {
    const { aliases, mappings } = isRecord(about) ? about : {}
    const mark = isRecord(mappings) ? mappings['_meta'] : undefined
    return {
      name,
      aliases: isRecord(aliases) ? Object.keys(aliases) : [],
      mark: isRecord(mark) && typeof mark['format'] === 'number' ? (mark as unknown as IndexMark) : undefined
    }
  })
}
