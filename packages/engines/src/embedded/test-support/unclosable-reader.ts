// Runs as a reader thread that can be asked for a list of documents, but neither be opened nor closed.
import { serve } from '../threads/serve.ts'
import type { ReaderCalls } from '../threads/messages.ts'
import { silentReader } from './silent-reader.ts'

function fail(reason: string): never {
  throw new Error(reason)
}

serve<ReaderCalls>({
  ...silentReader,
  open: () => fail('cannot be opened'),
  close: () => fail('cannot be closed')
})
