import { workerData } from 'node:worker_threads'
import type { StoredChunk } from '@oncall-agent/retrieval'
import { openReader } from '../reading/index-reader.ts'
import type { Handlers, ReaderCalls, ReaderSettings } from './messages.ts'
import { ScanHelper } from './scan-helper.ts'
import { serve } from './serve.ts'

const settings = workerData as ReaderSettings
const helper = new ScanHelper(settings.reader, settings.vectors)
let opened: ReturnType<typeof openReader> | undefined

/** Opened by the first call, so that what is wrong with the file is the answer to a call. */
function reader(): ReturnType<typeof openReader> {
  opened ??= openReader(settings, helper)
  return opened
}

const handlers: Handlers<ReaderCalls> = {
  open: () => reader().check(),
  lexical: (request, id) => reader().lexical(request, id),
  statistics: (request, id) => reader().statistics(request, id),
  vector: (request, id) => reader().vector(request, id),
  chunks: (request, id) => reader().chunks(request, id),
  documents: (pair) => reader().documents(pair),
  match: (request, id) => reader().entries.match(request, id),
  facets: (request, id) => reader().entries.facets(request, id),
  nearest: (request, id) => reader().entries.nearest(request, id),
  entryPage: (after, id) => reader().entries.page(after, id),
  entry: ({ pair, documentId }) => reader().entries.find(pair, documentId),
  entries: (pair) => reader().entries.list(pair),
  warm: (_, id) => reader().warm(id),
  totals: () => reader().totals(),
  verify: () => reader().verify(),
  close: () => {
    helper.close()
    opened?.close()
    opened = undefined
    return null
  }
}

// Vectors and token vectors of a pool are some 400 KB, each in a buffer of its own that nobody here needs any more.
serve<ReaderCalls>(handlers, { moved: { chunks: (chunks) => chunks.flatMap(buffersOf) } })

function buffersOf({ vector, tokenVectors }: StoredChunk): ArrayBuffer[] {
  return [vector, tokenVectors].flatMap((array) => (array === undefined ? [] : [array.buffer as ArrayBuffer]))
}
