import type { PassageEmbedding } from '@oncall-agent/retrieval'
import { embedDocuments } from '../embed-documents.ts'
import { isHeld } from './held-version.ts'
import type { IndexTaskParts } from '../knowledge-parts.ts'
import type { PreparedTask } from './prepare-task.ts'
import { ProgressWriter } from './progress-writer.ts'

export interface EmbeddedTask extends PreparedTask {
  /** One for each chunk; absent when the index holds this version with this content already. */
  readonly embeddings: readonly PassageEmbedding[] | undefined
}

/**
 * Gives every chunk its vector, batch by batch, and writes down how far it is.
 * @throws AppError SYSTEM_UNAVAILABLE and others of the embedder; the signal's reason
 */
export async function embedTask(parts: IndexTaskParts, task: PreparedTask, signal: AbortSignal): Promise<EmbeddedTask> {
  const total = task.prepared.chunks.length
  const write = (embedded: number) => parts.store.indexTasks.progress(task.task.id, embedded, total)
  const expected = { ...task.record, count: total, entryHash: task.entry.contentHash }
  if (await isHeld(parts.index, expected)) {
    await write(total)
    return { ...task, embeddings: undefined }
  }
  await write(0)
  const progress = new ProgressWriter(write, parts.now)
  const onEmbedded = (chunks: number): void => progress.advance(chunks)
  const embedded = embedDocuments(one({ document: task.prepared }), { embedder: parts.embedder, signal, onEmbedded })
  const embeddings: PassageEmbedding[] = []
  try {
    for await (const document of embedded) embeddings.push(...document.embeddings)
  } catch (error) {
    // A write that is under way ends before the task does; how far it came is told then, too.
    await progress.settle()
    throw error
  }
  await progress.finish()
  return { ...task, embeddings }
}

async function* one<Item>(item: Item): AsyncGenerator<Item> {
  yield item
}
