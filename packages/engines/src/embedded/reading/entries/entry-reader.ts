import type { DatabaseSync } from 'node:sqlite'
import { LACK_OF_ENTRIES, PortError } from '@oncall-agent/retrieval'
import type {
  FacetRequest,
  ListedEntry,
  MatchRequest,
  NearestRequest,
  ReadablePair,
  StructuredEntry,
  StructuredFacets,
  StructuredRecall
} from '@oncall-agent/retrieval'
import { knowledgeBaseReader } from '../../storage/knowledge-base-rows.ts'
import type { SlotDirectory } from '../../storage/slot-directory.ts'
import { entriesFilledReader } from '../../storage/state.ts'
import type { NearestSlots } from '../nearest-slots.ts'
import type { PostingReader } from '../posting-reader.ts'
import type { StopCheck } from '../read-transaction.ts'
import { ClauseReader } from './clause-terms.ts'
import { CorpusOrder } from './corpus-order.ts'
import { FacetCounter } from './count-facets.ts'
import { EntryScopes } from './entry-scope.ts'
import { EntryTable } from './entry-table.ts'
import { matchEntries } from './match-entries.ts'
import { PageMatcher } from './match-pages.ts'
import { nearestEntries } from './nearest-entries.ts'

/** Text and vectors of a page of entries that are read one behind the other, about; one entry is always read. */
const PAGE_CHARACTERS = 1_000_000
/** Entries of such a page at most. */
const PAGE_ENTRIES = 256

/** Some entries, and the number that the next ones stand behind; undefined at the end. */
export interface EntryPage {
  readonly entries: readonly StructuredEntry[]
  readonly next?: number
}

/**
 * All reads of entries, each in a transaction of its own; `id` is the call's, by which it can be stopped. What is about all
 * entries is refused in a file that does not have them all.
 */
export interface EntryReader {
  match(request: MatchRequest, id: number): StructuredRecall
  facets(request: FacetRequest, id: number): StructuredFacets
  nearest(request: NearestRequest, id: number): StructuredRecall
  /** Some of all entries, those behind a number, which begins at 0. */
  page(after: number, id: number): EntryPage
  /** In corpus order. */
  list(pair: ReadablePair): ListedEntry[]
  find(pair: ReadablePair, documentId: string): StructuredEntry | null
}

export interface EntryReaderParts {
  readonly directory: SlotDirectory
  readonly postings: PostingReader
  readonly nearest: NearestSlots
  /** Runs a read in a transaction. */
  readonly read: <T>(operation: string, work: () => T) => T
  readonly stopOf: (id: number) => StopCheck
}

export function entryReader(database: DatabaseSync, shared: EntryReaderParts): EntryReader {
  const { directory, postings, nearest, read, stopOf } = shared
  const scopes = new EntryScopes(database, directory, postings)
  const matcher = new PageMatcher(scopes, new ClauseReader(postings))
  const table = new EntryTable(database)
  const parts = { scopes, matcher, order: new CorpusOrder(database), table, nearest }
  const facets = new FacetCounter(database, { scopes, matcher, postings })
  const knowledgeBases = knowledgeBaseReader(database)
  const isFilled = entriesFilledReader(database)
  const readAll = <T>(operation: string, work: () => T): T =>
    read(operation, () => {
      if (!isFilled()) throw notFilled(operation)
      return work()
    })
  return {
    match: (request, id) => readAll('match entries', () => matchEntries(request, parts, stopOf(id))),
    facets: (request, id) => readAll('count facets', () => facets.count(request, stopOf(id))),
    nearest: (request, id) => readAll('find nearest entries', () => nearestEntries(request, parts, stopOf(id))),
    page: (after, id) => readAll('read entries', () => pageAfter(after, table, stopOf(id))),
    list: (pair) =>
      read('list entries', () => {
        const kb = knowledgeBases.find(pair)
        return kb === undefined ? [] : table.list(kb.id)
      }),
    find: (pair, documentId) =>
      read('read entry', () => {
        const kb = knowledgeBases.find(pair)
        return (kb === undefined ? undefined : table.find(kb.id, documentId)) ?? null
      })
  }
}

function pageAfter(after: number, table: EntryTable, stop: StopCheck): EntryPage {
  const entries: StructuredEntry[] = []
  let characters = 0
  for (const number of table.numbersAfter(after, PAGE_ENTRIES)) {
    stop()
    const entry = table.whole(number)
    entries.push(entry)
    characters += entry.body.length + (entry.vector?.byteLength ?? 0)
    if (characters >= PAGE_CHARACTERS || entries.length === PAGE_ENTRIES) return { entries, next: number }
  }
  return { entries }
}

function notFilled(operation: string): PortError {
  return new PortError('unavailable', {
    operation,
    subject: LACK_OF_ENTRIES,
    reason: 'the index was made by a release without structured search, and not all documents have their entry yet',
    hint: 'Run `oncall reindex`.'
  })
}
