import { realpath } from 'node:fs/promises'
import type { KnowledgeBaseRef } from './document-identity.ts'
import { alignEntries } from './entry/compare-entries.ts'
import { countDocuments } from './folder/count-documents.ts'
import { FolderTally } from './folder/folder-tally.ts'
import { resolveRoots } from './folder/resolve-roots.ts'
import { walkFolders } from './folder/walk-folder.ts'
import { type IndexRun, type IndexingDependencies, indexDocuments } from './index-run.ts'
import { listKnown } from './known-documents.ts'
import { readChanged } from './read-changed.ts'
import { removeVanished } from './remove-vanished.ts'
import { acquireRunLock } from '../store/index.ts'
import { type IndexProgress, type IndexReport, RunReport } from './run-report.ts'

export interface IndexFolderRequest {
  /** Files and folders; relative ones are resolved against the working directory. */
  readonly paths: readonly string[]
  readonly knowledgeBase: KnowledgeBaseRef
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
}

/**
 * Makes a knowledge base hold what the folders hold: read, sniff, extract, chunk, embed, publish; then remove what is
 * gone; then let the search engine follow, if there is one. A document that cannot be read is reported and keeps its
 * previous version; each published one is whole.
 * @throws AppError PATH_UNREADABLE and NOTHING_TO_INDEX before any work; DATA_LOCKED; STORAGE_FULL, SYSTEM_UNAVAILABLE
 *   and other failures of the index or the embedder, which end the run; the signal's reason
 */
export async function indexFolder(
  request: IndexFolderRequest,
  dependencies: IndexingDependencies
): Promise<IndexReport> {
  const { signal, knowledgeBase: base } = request
  const report = new RunReport(dependencies.clock ?? Date.now, request.onProgress)
  const run: IndexRun = { dependencies, base, report, signal }

  report.enter('scanning')
  const roots = await resolveRoots(request.paths)
  // A data folder that lies in the folder is no document of it.
  const leaveOut = await realpath(dependencies.dataDirectory ?? '').catch(() => undefined)
  report.expect(await countDocuments(roots, signal, leaveOut))

  const lock = dependencies.dataDirectory === undefined ? undefined : acquireRunLock(dependencies.dataDirectory)
  try {
    const known = await listKnown(dependencies.index, base, dependencies.entries)
    const tally = new FolderTally(roots)

    report.enter('indexing')
    await indexDocuments(run, readChanged(run, walkFolders(roots, signal, leaveOut), known, tally))

    report.enter('removing')
    await removeVanished(run, known, tally)
    if (dependencies.copy !== undefined) {
      report.enter('copying')
      await alignEntries(dependencies.copy, base, { signal })
    }
    for (const root of tally.emptyRoots) report.warn(root.given, ['no document was found in it; nothing was removed'])
    return report.finish()
  } finally {
    lock?.release()
  }
}
