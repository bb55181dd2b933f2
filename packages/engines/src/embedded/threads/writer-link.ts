import type { ChunkToPublish, IndexedDocument, PortError, ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import type { ThreadSettings, WriterCalls } from './messages.ts'
import { packChunks, packEntry } from './packed-chunks.ts'
import { closedError } from './reader-pool.ts'
import { Thread } from './thread.ts'

const WRITER_MODULE = new URL('./writer-thread.ts', import.meta.url)
/** Chunks a message: packing so many keeps the event loop for about a millisecond or two. */
const PART_CHUNKS = 128
/** Entries a message. */
const PART_ENTRIES = 64

export interface WriterOptions extends ThreadSettings {
  readonly onBackgroundFailure?: (error: PortError) => void
  /** What the thread runs; absent means the writer of this package. */
  readonly module?: URL
}

interface Replacing {
  readonly document: IndexedDocument
  readonly chunks: readonly ChunkToPublish[]
  readonly entry: StructuredEntry | undefined
}

/** The writer thread, started by the first write, and again after it has died. */
export class WriterLink {
  readonly #options: WriterOptions
  #thread: Thread<WriterCalls> | undefined
  #nextDocument = 0
  readonly #replacing = new Set<Promise<void>>()
  #closed = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  async replace(document: IndexedDocument, chunks: readonly ChunkToPublish[], entry?: StructuredEntry): Promise<void> {
    const replacing = this.#send(this.#open('replace document'), { document, chunks, entry })
    this.#replacing.add(replacing)
    try {
      await replacing
    } finally {
      this.#replacing.delete(replacing)
    }
  }

  delete(pair: ReadablePair, documentId: string): Promise<boolean> {
    return this.#open('delete document').call('delete', { pair, documentId })
  }

  async replaceEntry(entry: StructuredEntry): Promise<void> {
    await this.#open('replace entry').call('replaceEntry', packEntry(entry))
  }

  deleteEntry(pair: ReadablePair, documentId: string): Promise<boolean> {
    return this.#open('delete entry').call('deleteEntry', { pair, documentId })
  }

  /** All of them are sent before anything is written; a source that fails has changed nothing. */
  async rebuildEntries(entries: AsyncIterable<StructuredEntry>): Promise<void> {
    const operation = 'rebuild entries'
    const id = this.#nextDocument++
    const thread = this.#open(operation)
    const send = (part: readonly StructuredEntry[]) => thread.call('entryPart', { id, entries: part.map(packEntry) })
    let part: StructuredEntry[] = []
    try {
      for await (const entry of entries) {
        part.push(entry)
        if (part.length < PART_ENTRIES) continue
        await send(part)
        part = []
      }
      this.#open(operation)
      await send(part)
    } catch (error) {
      // Why the source failed explains the rest.
      await Promise.allSettled([thread.call('forget', id)])
      throw error
    }
    await thread.call('rebuild', id)
  }

  compact(): Promise<null> {
    return this.#open('compact index').call('compact', null)
  }

  /** From now on what is asked fails with `closed`; what is under way goes on. */
  refuse(): void {
    this.#closed = true
  }

  /** Lets writes that are under way come to their end. */
  async close(): Promise<void> {
    this.refuse()
    // Parts that came after `close` would open the file again, and their document would be lost.
    await Promise.allSettled(this.#replacing)
    const thread = this.#thread
    if (thread === undefined || !thread.alive) return
    try {
      await thread.call('close', null)
    } finally {
      await thread.terminate()
    }
  }

  /** Messages of one document may stand between those of another; `id` keeps them apart. */
  async #send(thread: Thread<WriterCalls>, { document, chunks, entry }: Replacing): Promise<void> {
    const id = this.#nextDocument++
    for (let from = 0; from < chunks.length; from += PART_CHUNKS) {
      const packed = packChunks(chunks.slice(from, from + PART_CHUNKS))
      const transfer = [packed.vectors.buffer, packed.tokenVectors.buffer]
      const sent = thread.call('part', { id, chunks: packed }, transfer)
      // Waiting for the last part as well would cost a turn; a thread that ends fails both calls.
      if (from + PART_CHUNKS < chunks.length) await sent
      else sent.catch(() => {})
    }
    await thread.call('replace', { id, document, ...(entry === undefined ? {} : { entry: packEntry(entry) }) })
  }

  #open(operation: string): Thread<WriterCalls> {
    if (this.#closed) throw closedError(operation)
    if (this.#thread?.alive === true) return this.#thread
    const { module = WRITER_MODULE, onBackgroundFailure, ...settings } = this.#options
    const report = onBackgroundFailure === undefined ? {} : { onBackgroundFailure }
    this.#thread = new Thread<WriterCalls>({ module, settings, ...report })
    return this.#thread
  }
}
