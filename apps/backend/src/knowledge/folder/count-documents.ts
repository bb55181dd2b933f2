import { AppError } from '@oncall-agent/api-contracts'
import { supportedExtensions } from '../extract/sniff.ts'
import { type Root, stillServed, unreadablePath } from './resolve-roots.ts'
import { type UnreadableEntry, walkFolders } from './walk-folder.ts'

/** How many names of files are told to a person who gave a folder without documents. */
const namesTold = 5

/**
 * The number of files that a run will look at; reads names only.
 * @throws AppError NOTHING_TO_INDEX when there is no document, PATH_UNREADABLE when that is because of what may not be read
 */
export async function countDocuments(
  roots: readonly Root[],
  signal: AbortSignal | undefined,
  leaveOut?: string
): Promise<number> {
  let documents = 0
  let unsupported = 0
  let unreadable: UnreadableEntry | undefined
  const names: string[] = []
  for await (const entry of walkFolders(roots, signal, leaveOut)) {
    if (entry.kind === 'document') documents++
    else if (entry.kind === 'unreadable') unreadable ??= entry
    else {
      unsupported++
      if (names.length < namesTold) names.push(entry.source)
    }
  }
  if (documents > 0) return documents
  if (unreadable !== undefined) throw unreadablePath(unreadable.source, unreadable.problem, unreadable.cause)
  throw nothingToIndex(roots, unsupported, names)
}

function nothingToIndex(roots: readonly Root[], unsupported: number, names: readonly string[]): AppError {
  const where = roots.map((root) => root.given).join(', ')
  const more = unsupported > names.length ? `, and ${unsupported - names.length} more` : ''
  const others = unsupported === 0 ? '' : ` Not supported: ${names.join(', ')}${more}.`
  return new AppError('NOTHING_TO_INDEX', {
    operation: 'index folder',
    subject: where,
    message: `There is no document to index in ${where}.${others}`,
    hint: `Supported are ${supportedExtensions.join(', ')}; hidden folders and node_modules are left out. ${stillServed}`,
    details: { paths: roots.map((root) => root.given), unsupported, examples: names }
  })
}
