import { join } from 'node:path'
import type {
  ChunkRequest,
  LexicalRequest,
  ListedDocument,
  ReadablePair,
  Recall,
  Scope,
  StoredChunk,
  TermStatistics,
  VectorRequest
} from '@oncall-agent/retrieval'
import { knowledgeBaseReader } from '../storage/knowledge-base-rows.ts'
import { INDEX_FILE, openDatabase } from '../storage/open-database.ts'
import { sameFileCheck } from '../storage/same-file.ts'
import { SlotDirectory } from '../storage/slot-directory.ts'
import type { ReaderSettings } from '../threads/messages.ts'
import type { ScanHelper } from '../threads/scan-helper.ts'
import { DocumentTable } from './documents.ts'
import { entryReader } from './entries/entry-reader.ts'
import type { EntryReader } from './entries/entry-reader.ts'
import { NearestSlots } from './nearest-slots.ts'
import { PostingReader } from './posting-reader.ts'
import { HitRanking } from './ranked-hits.ts'
import { ChunkTable } from './read-chunks.ts'
import { readTransaction, StopReading } from './read-transaction.ts'
import type { StopCheck } from './read-transaction.ts'
import { LexicalSearch } from './search-lexical.ts'
import { VectorSearch } from './search-vector.ts'
import { ScopeReader } from './selection.ts'
import { StatisticsReader } from './statistics.ts'
import { VectorReader } from './vector-reader.ts'
import { verify } from './verify.ts'

/** Page cache of a reader's connection; the system's file cache does the rest. */
const CACHE_KIB = 16 * 1024

/** All reads of the index, on one connection; `id` is the call's, by which it can be stopped. */
export interface IndexReader {
  /** Only opens, and checks format and fingerprint. */
  check(): null
  lexical(request: LexicalRequest, id: number): Recall
  statistics(request: { terms: readonly string[]; scope: Scope }, id: number): TermStatistics
  vector(request: VectorRequest, id: number): Recall
  chunks(request: ChunkRequest, id: number): StoredChunk[]
  documents(pair: ReadablePair): ListedDocument[]
  /** Structured search. */
  readonly entries: EntryReader
  /** Loads the int8 rows and slots of everything. */
  warm(id: number): null
  totals(): { documents: number; chunks: number; revision: number }
  /** Faults in sentences. */
  verify(): string[]
  close(): void
}

/** @param helper takes a part of large scans, and is the caller's to close. @throws PortError as `openDatabase` does */
export function openReader(settings: ReaderSettings, helper?: ScanHelper): IndexReader {
  const database = openDatabase({ ...settings, cacheKib: CACHE_KIB })
  const checkFile = sameFileCheck(join(settings.directory, INDEX_FILE))
  const transaction = readTransaction(database, settings.fingerprint, checkFile)
  const postings = new PostingReader(database)
  const directory = new SlotDirectory(database)
  const scopes = new ScopeReader(database, directory, postings)
  const ranking = new HitRanking(database)
  const lexical = new LexicalSearch(postings, ranking)
  const statistics = new StatisticsReader(scopes, postings)
  // The scan is the only part that shares memory with other threads.
  const shared = { memory: settings.vectors, reader: settings.reader, ...(helper === undefined ? {} : { helper }) }
  const vectors = new VectorReader(database)
  const nearest = new NearestSlots(shared, vectors)
  const vector = new VectorSearch(nearest, vectors, ranking)
  const chunks = new ChunkTable(database)
  const documents = new DocumentTable(database)
  const knowledgeBases = knowledgeBaseReader(database)
  const subject = settings.directory
  const stopOf = (id: number): StopCheck => stopCheck(settings.stop, id)
  const read = <T>(operation: string, work: () => T): T => transaction({ operation, subject }, work)
  return {
    entries: entryReader(database, { directory, postings, nearest, read, stopOf }),
    check: () => transaction({ operation: 'open index', subject }, () => null),
    lexical: (request, id) =>
      transaction({ operation: 'search words', subject }, ({ revision }) => {
        const hits = lexical.search(request, scopes.select(request.scope), stopOf(id))
        return { hits, revision }
      }),
    statistics: (request, id) =>
      transaction({ operation: 'count words', subject }, () =>
        statistics.read(request.terms, request.scope, stopOf(id))
      ),
    vector: (request, id) =>
      transaction({ operation: 'search vectors', subject }, ({ revision }) => {
        const hits = vector.search(request, scopes.select(request.scope), stopOf(id))
        return { hits, revision }
      }),
    chunks: (request, id) =>
      transaction({ operation: 'read chunks', subject }, () =>
        chunks.read(request, scopes.knowledgeBases(request.scope), stopOf(id))
      ),
    documents: (pair) =>
      transaction({ operation: 'list documents', subject }, () => {
        const kb = knowledgeBases.find(pair)
        return kb === undefined ? [] : documents.list(kb)
      }),
    warm: (id) =>
      transaction({ operation: 'warm index', subject }, () => {
        nearest.load(scopes.everything(), stopOf(id))
        return null
      }),
    totals: () =>
      transaction({ operation: 'measure index', subject }, ({ revision }) => {
        const count = knowledgeBases.all().reduce((sum, kb) => sum + kb.chunks, 0)
        return { documents: documents.count(), chunks: count, revision }
      }),
    verify: () => transaction({ operation: 'verify index', subject }, () => verify(database)),
    close: () => database.close()
  }
}

/** One cell for all calls: a call stops when the cell holds its own number, so a late stop hits no later call. */
function stopCheck(stop: Int32Array, id: number): StopCheck {
  return () => {
    if (Atomics.load(stop, 0) === id) throw new StopReading('the caller has gone')
  }
}
