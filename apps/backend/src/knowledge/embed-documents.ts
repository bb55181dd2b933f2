import { type Embedder, type PassageEmbedding, searchedText } from '@oncall-agent/retrieval'
import { checkEmbeddings } from './check-embeddings.ts'
import type { PreparedDocument } from './extract/extracted-document.ts'
import { throughPort } from './port-failure.ts'

/** Chunks waiting for their vectors; a document may come with anything else that publishing needs. */
export interface Embeddable {
  readonly document: Pick<PreparedDocument, 'title' | 'chunks'>
}

export interface Embedded<Item extends Embeddable> {
  readonly item: Item
  /** One for each chunk, in order. */
  readonly embeddings: readonly PassageEmbedding[]
}

export interface EmbedOptions {
  readonly embedder: Embedder
  readonly signal: AbortSignal | undefined
  readonly onEmbedded: (chunks: number) => void
}

interface Open<Item extends Embeddable> {
  readonly item: Item
  readonly embeddings: PassageEmbedding[]
}

/**
 * Embeds the searched text of every chunk, in batches of the embedder's size that may span documents, and yields a
 * document when the last of its chunks has its vector.
 * @throws AppError SYSTEM_UNAVAILABLE and others of the embedder; the signal's reason
 */
export async function* embedDocuments<Item extends Embeddable>(
  items: AsyncIterable<Item>,
  options: EmbedOptions
): AsyncGenerator<Embedded<Item>> {
  const { batchSize } = options.embedder.limits
  const open: Open<Item>[] = []
  let waiting: { readonly text: string; readonly of: Open<Item> }[] = []

  for await (const item of items) {
    const of: Open<Item> = { item, embeddings: [] }
    open.push(of)
    const { title, chunks } = item.document
    waiting.push(...chunks.map((chunk) => ({ text: searchedText({ ...chunk, title }), of })))
    while (waiting.length >= batchSize) {
      await embedBatch(waiting.slice(0, batchSize), options)
      waiting = waiting.slice(batchSize)
      yield* takeComplete(open)
    }
  }
  if (waiting.length > 0) await embedBatch(waiting, options)
  yield* takeComplete(open)
}

/** Batches are taken in order, so a document's vectors arrive in the order of its chunks. */
async function embedBatch<Item extends Embeddable>(
  batch: readonly { readonly text: string; readonly of: Open<Item> }[],
  { embedder, signal, onEmbedded }: EmbedOptions
): Promise<void> {
  signal?.throwIfAborted()
  const texts = batch.map((waiting) => waiting.text)
  const answers = await throughPort(() => embedder.embedPassages(texts, signal))
  checkEmbeddings(texts, answers, embedder.fingerprint)
  for (const [index, waiting] of batch.entries()) waiting.of.embeddings.push(answers[index]!)
  onEmbedded(batch.length)
}

function* takeComplete<Item extends Embeddable>(open: Open<Item>[]): Generator<Embedded<Item>> {
  while (open.length > 0 && open[0]!.embeddings.length === open[0]!.item.document.chunks.length) yield open.shift()!
}
