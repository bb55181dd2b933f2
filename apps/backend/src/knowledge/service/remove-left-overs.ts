import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { filesOf, incomingFiles, namesOlderThan } from '../document-files.ts'

/** No upload takes a day, so what is older belongs to nobody. */
const ABANDONED_MS = 24 * 60 * 60 * 1000
/** Ids of one question to the facts. */
const BATCH = 500

/**
 * Removes what processes that died left: files that arrived and became no document, and folders of documents that were
 * never committed or are erased. To be called when a process starts. Gives the number of what was removed.
 */
export async function removeLeftOvers({
  dataDirectory,
  store,
  now
}: Pick<KnowledgeParts, 'dataDirectory' | 'store' | 'now'>): Promise<number> {
  const before = now() - ABANDONED_MS
  const incoming = incomingFiles(dataDirectory)
  const arrived = (await namesOlderThan(incoming, before)).map((name) => join(incoming, name))
  const abandoned = [...arrived]

  const files = filesOf(dataDirectory)
  const folders = (await namesOlderThan(files, before)).filter((name) => join(files, name) !== incoming)
  for (let from = 0; from < folders.length; from += BATCH) {
    const batch = folders.slice(from, from + BATCH)
    const kept = await store.documents.withContent(batch)
    abandoned.push(...batch.filter((name) => !kept.has(name)).map((name) => join(files, name)))
  }
  for (const path of abandoned) await rm(path, { recursive: true, force: true })
  return abandoned.length
}
