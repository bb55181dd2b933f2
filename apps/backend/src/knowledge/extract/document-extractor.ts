import type { PrepareRequest, TokenCounterModule } from './child/protocol.ts'
import { ReaderProcess } from './child/reader-process.ts'
import type { PreparedDocument } from './extracted-document.ts'
import type { ExtractionLimits } from '../settings.ts'

/** Reads documents and cuts them, each within bounds of time and memory. */
export interface DocumentExtractor {
  /**
   * One prepared document, with at least one chunk. Calls beyond the number of processes wait.
   * @throws AppError DOCUMENT_UNREADABLE, PAYLOAD_TOO_LARGE; the signal's reason
   */
  prepare(request: PrepareRequest, signal?: AbortSignal): Promise<PreparedDocument>
  /** Ends the children; what they are reading fails. */
  close(): void
}

export interface DocumentExtractorOptions {
  readonly limits: ExtractionLimits
  /** The embedder's counter; without one, tokens are estimated. */
  readonly tokenCounter?: TokenCounterModule
}

/** Starts no process before the first document, and a new one after each that died or grew too large. */
export function createDocumentExtractor(options: DocumentExtractorOptions): DocumentExtractor {
  const idle: ReaderProcess[] = []
  const all = new Set<ReaderProcess>()
  const queue: (() => void)[] = []
  let busy = 0
  let closed = false

  const mustWait = (): boolean => !closed && busy >= options.limits.processes
  const take = async (signal: AbortSignal | undefined): Promise<ReaderProcess> => {
    while (mustWait()) await turn(queue, signal)
    try {
      signal?.throwIfAborted()
      if (closed) throw new Error('the document extractor is closed')
      const reader = idle.pop() ?? new ReaderProcess(options.limits, options.tokenCounter)
      busy++
      all.add(reader)
      return reader
    } catch (error) {
      // The place is still free: whoever waits next may have it.
      queue.shift()?.()
      throw error
    }
  }
  const giveBack = (reader: ReaderProcess): void => {
    busy--
    if (reader.spent || closed) {
      reader.close()
      all.delete(reader)
    } else idle.push(reader)
    queue.shift()?.()
  }

  return {
    async prepare(request, signal) {
      const reader = await take(signal)
      try {
        return await reader.prepare(request, signal)
      } finally {
        giveBack(reader)
      }
    },
    close() {
      closed = true
      for (const reader of all) reader.close()
      all.clear()
      for (const waiting of queue.splice(0)) waiting()
    }
  }
}

/** Waits to be called from the queue; leaves it at once when the signal aborts, with its reason. */
function turn(queue: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason)
    const leave = (): void => {
      queue.splice(queue.indexOf(called), 1)
      reject(signal?.reason)
    }
    const called = (): void => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    queue.push(called)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
