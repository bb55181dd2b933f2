// Runs as a reader thread that does what a real one must never be seen doing.
import { workerData } from 'node:worker_threads'
import { StopReading } from '../reading/read-transaction.ts'
import type { ReaderCalls, ReaderSettings } from '../threads/messages.ts'
import { serve } from '../threads/serve.ts'
import { SharedLock } from '../vectors/shared-lock.ts'
import { silentReader } from './silent-reader.ts'

const { stop, vectors, reader } = workerData as ReaderSettings
const totals = { documents: 0, chunks: 0, revision: 0 }
/** How often a call that waits to be stopped looks whether it was. */
const LOOK_MS = 1

serve<ReaderCalls>({
  ...silentReader,
  // Dies while it holds the lock on the rows.
  warm: () => new SharedLock(vectors.control.subarray(0, 1), reader + 1).hold(() => process.exit(1)),
  // Answers only when it is stopped.
  lexical: (_, id) => {
    while (Atomics.load(stop, 0) !== id) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
    throw new StopReading('the caller has gone')
  },
  // Takes the lock, which it can only do when nobody dead still holds it.
  totals: () => new SharedLock(vectors.control.subarray(0, 1), reader + 1).hold(() => totals),
  statistics: () => {
    throw new Error('a fault of this package')
  }
})
