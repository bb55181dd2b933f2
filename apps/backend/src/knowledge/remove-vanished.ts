import type { FolderTally } from './folder/folder-tally.ts'
import type { IndexRun } from './index-run.ts'
import type { KnownDocument } from './known-documents.ts'
import { throughPort } from './port-failure.ts'

/** Removes the documents whose files were under the walked folders once and are not there now. */
export async function removeVanished(
  run: IndexRun,
  known: ReadonlyMap<string, KnownDocument>,
  tally: FolderTally
): Promise<void> {
  const { tenantId, knowledgeBaseId } = run.base
  for (const [documentId, { path }] of known) {
    if (path === undefined || !tally.isGone(documentId, path)) continue
    run.signal?.throwIfAborted()
    const was = await throughPort(() =>
      run.dependencies.index.deleteDocument({ tenantId, knowledgeBaseId }, documentId)
    )
    if (was) run.report.removed()
  }
}
