import type { EntryCopy } from '../knowledge/index.ts'
import type { Parts } from './parts.ts'

/** Index and search engine, for what writes to the index without a task; nothing where there is no such engine. */
export async function entryCopyOf({ index, searchEngine }: Parts): Promise<{ readonly copy?: EntryCopy }> {
  if (searchEngine === undefined) return {}
  return { copy: { index: await index.get(), searchEngine: await searchEngine.get() } }
}
