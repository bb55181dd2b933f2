// Runs as a writer thread that dies in the middle of a transaction.
import { workerData } from 'node:worker_threads'
import { openDatabase } from '../storage/open-database.ts'
import type { ThreadSettings, WriterCalls } from '../threads/messages.ts'
import { serve } from '../threads/serve.ts'

const settings = workerData as ThreadSettings

function dieInTransaction(): never {
  const database = openDatabase({ ...settings, cacheKib: 1024 })
  database.exec(`BEGIN IMMEDIATE; UPDATE state SET revision = 1000`)
  process.exit(1)
}

serve<WriterCalls>({
  part: () => null,
  replace: () => dieInTransaction(),
  delete: () => dieInTransaction(),
  replaceEntry: () => dieInTransaction(),
  deleteEntry: () => dieInTransaction(),
  entryPart: () => null,
  rebuild: () => dieInTransaction(),
  forget: () => null,
  compact: () => null,
  close: () => null
})
