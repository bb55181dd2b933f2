import { parentPort } from 'node:worker_threads'
import { flattenError, type FromWorker, type ToWorker } from './lane-protocol.ts'

export interface LaneService<Ask, Answer> {
  answer(question: Ask): Promise<Answer>
  /** Buffers of an answer that may be moved instead of copied. */
  transferables(answer: Answer): ArrayBuffer[]
  release(): Promise<void>
}

/** The far side of a `WorkerLane`: loads the service, then answers one question after the other until told to close. */
export async function serveLane<Ask, Answer>(load: () => Promise<LaneService<Ask, Answer>>): Promise<void> {
  const port = parentPort
  if (port === null) throw new Error('a lane is served from a worker thread only')
  const send = (message: FromWorker<Answer>, moved: ArrayBuffer[] = []): void => port.postMessage(message, moved)
  let service: LaneService<Ask, Answer>
  try {
    service = await load()
  } catch (error) {
    // Reported, not logged: the near side throws it. The port closes by itself, no listener holds it open.
    send({ kind: 'load-failed', error: flattenError(error) })
    return
  }
  const serve = async (message: ToWorker<Ask>): Promise<void> => {
    if (message.kind === 'close') {
      await service.release()
      port.close()
      return
    }
    try {
      const answer = await service.answer(message.question)
      send({ kind: 'answer', id: message.id, answer }, service.transferables(answer))
    } catch (error) {
      send({ kind: 'refusal', id: message.id, error: flattenError(error) })
    }
  }
  let last = Promise.resolve()
  port.on('message', (message: ToWorker<Ask>) => {
    last = last.then(() => serve(message))
  })
  send({ kind: 'ready' })
}
