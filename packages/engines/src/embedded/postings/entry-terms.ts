import type { FacetField, StructuredFilters } from '@oncall-agent/retrieval'
import { metadataTerm, termOf } from './term.ts'
import type { Term } from './term.ts'

// Everything that a search needs to know of an entry's slot is a term of its space, so that runs, compaction and moves
// carry it along:
//   a token of the body        as it is
//   a token of the title       behind a mark; its frequency is that of the title
//   a filter                   as metadata of chunks is
//   a value to count (facet)   one term a field, whose "frequency" in an entry is the number of the entry's value
//   that it has a vector       one term, of frequency 1

/** No token starts with these characters, nor do metadata and digests. */
const TITLE_MARK = '\u0003'
const COLUMN_MARK = '\u0004'

export type EntryColumn = FacetField | 'vector'

export function bodyTerm(token: string): Term {
  return termOf(token)
}

export function titleTermText(token: string): string {
  return TITLE_MARK + token
}

export function titleTerm(token: string): Term {
  return termOf(titleTermText(token))
}

export function columnTermText(column: EntryColumn): string {
  return COLUMN_MARK + column
}

export function columnTerm(column: EntryColumn): Term {
  return termOf(columnTermText(column))
}

/** For each filter that is given the terms of which an entry must have one, as texts. */
export function filterTermTexts(filters: StructuredFilters): string[][] {
  const { errorCodes = [], ...single } = filters
  const wanted = Object.entries(single).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value]] as const]
  )
  const all = filters.errorCodes === undefined ? wanted : [...wanted, ['errorCodes', errorCodes] as const]
  return all.map(([name, values]) => values.map((value) => metadataTerm(name, value)))
}
