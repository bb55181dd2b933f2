import { workerData } from 'node:worker_threads'
import { serveLane } from '../threads/serve-lane.ts'
import type { TextRole } from '../tokenizer/e5-tokenizer.ts'
import { EncoderPair, type EncodedText, type EncoderSetup } from './encoder-pair.ts'

export interface EncodeQuestion {
  readonly text: string
  readonly role: TextRole
}

// Entry of a worker thread: ONNX Runtime blocks the thread that runs it, which must not be the server's.
await serveLane<EncodeQuestion, EncodedText>(async () => {
  const encoder = await EncoderPair.load(workerData as EncoderSetup)
  return {
    answer: ({ text, role }) => encoder.encode(text, role),
    transferables: ({ vector, passageTokens, queryTokens }) =>
      [vector, passageTokens, queryTokens].flatMap((array) => (array === undefined ? [] : [array.buffer])),
    release: () => encoder.release()
  }
})
