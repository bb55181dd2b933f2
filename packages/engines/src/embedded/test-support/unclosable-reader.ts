// Runs as a reader thread that can be asked for a list of documents, but neither be opened nor closed.
import { serve } from '../threads/serve.ts'
import type { ReaderCalls } from '../threads/messages.ts'

function fail(reason: string): never {
  throw new Error(reason)
}

serve<ReaderCalls>({
  open: () => fail('cannot be opened'),
  lexical: () => ({ hits: [], revision: 0 }),
  statistics: () => ({ chunks: 0, averageLength: 0, frequency: [] }),
  vector: () => ({ hits: [], revision: 0 }),
  chunks: () => [],
  documents: () => [],
  warm: () => null,
  totals: () => ({ documents: 0, chunks: 0, revision: 0 }),
  verify: () => [],
  close: () => fail('cannot be closed')
})
