import { extname } from 'node:path'
import { contentHashOf, documentIdOf } from './document-identity.ts'
import type { FolderTally } from './folder/folder-tally.ts'
import { readFileBounded } from './folder/read-file-bounded.ts'
import { unreadablePath } from './folder/resolve-roots.ts'
import type { FolderEntry, FolderFile } from './folder/walk-folder.ts'
import { notSupported, sniffFormat } from './extract/sniff.ts'
import { type ChangedDocument, type IndexRun, reportFault } from './index-run.ts'
import type { KnownDocument } from './known-documents.ts'

/** Reads and sniffs every file of a walk, and hands on those whose bytes, or the way they are cut, have changed. */
export async function* readChanged(
  run: IndexRun,
  entries: AsyncIterable<FolderEntry>,
  known: ReadonlyMap<string, KnownDocument>,
  tally: FolderTally
): AsyncGenerator<ChangedDocument> {
  for await (const entry of entries) {
    run.signal?.throwIfAborted()
    if (entry.kind === 'unsupported') {
      if (entry.asked) run.report.fail(entry.source, notSupported(entry.source))
      else run.report.skip(entry.source, notSupported(entry.source))
    } else if (entry.kind === 'unreadable') {
      tally.unreadable(entry.path)
      run.report.fail(entry.source, unreadablePath(entry.source, entry.problem, entry.cause))
    } else {
      const id = documentIdOf(run.base, entry.path)
      tally.saw(id, entry.path)
      const changed = await readIfChanged(run, entry, id, known.get(id))
      if (changed !== undefined) yield changed
    }
  }
}

async function readIfChanged(
  run: IndexRun,
  file: FolderFile,
  id: string,
  previous: KnownDocument | undefined
): Promise<ChangedDocument | undefined> {
  const { settings, embedder } = run.dependencies
  const { chunking, documents, entries } = settings
  try {
    const bytes = await readFileBounded(file.path, file.source, documents.maxFileBytes)
    const conditions = { embedder, chunking, entries, extension: extname(file.path).toLowerCase() }
    const contentHash = contentHashOf(bytes, conditions)
    if (previous?.contentHash === contentHash) {
      run.report.unchanged()
      return undefined
    }
    const format = sniffFormat(file.source, bytes)
    const { maxCharacters, maxChunks } = documents
    const { maxTokens } = embedder.limits
    const content = { name: file.source, format, bytes, chunking, maxTokens, maxCharacters, maxChunks }
    return { id, source: file.source, contentHash, previous, content, metadata: { format, folder: file.folder } }
  } catch (error) {
    reportFault(run.report, file.source, error)
    return undefined
  }
}
