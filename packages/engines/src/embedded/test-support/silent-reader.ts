import type { Handlers, ReaderCalls } from '../threads/messages.ts'

/** A reader thread's answers when nothing is in the index: a test's own reader replaces what it is about. */
export const silentReader: Handlers<ReaderCalls> = {
  open: () => null,
  lexical: () => ({ hits: [], revision: 0 }),
  statistics: () => ({ chunks: 0, averageLength: 0, frequency: [] }),
  vector: () => ({ hits: [], revision: 0 }),
  chunks: () => [],
  documents: () => [],
  match: () => ({ total: 0, hits: [] }),
  facets: () => ({}),
  nearest: () => ({ total: 0, hits: [] }),
  entryPage: () => ({ entries: [] }),
  entry: () => null,
  entries: () => [],
  warm: () => null,
  totals: () => ({ documents: 0, chunks: 0, revision: 0 }),
  verify: () => [],
  close: () => null
}
