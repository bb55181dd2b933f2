import { tokenize } from '@oncall-agent/retrieval'
import type { FacetField, StructuredEntry } from '@oncall-agent/retrieval'
import { columnTermText, filterTermTexts, titleTermText } from '../postings/entry-terms.ts'
import type { RowTerm } from '../postings/posting-row.ts'
import { termOf } from '../postings/term.ts'
import { quantiseRows } from '../vectors/quantise.ts'
import { countTerm } from './prepare-chunks.ts'

/** All of some entries that does not depend on where they go: worked out before the write lock is taken. */
export interface PreparedEntries {
  readonly entries: readonly StructuredEntry[]
  /** Tokens of each body, plus one. */
  readonly bodyLengths: Uint32Array
  /** Tokens of each title. */
  readonly titleLengths: Uint32Array
  /** Without the values to count, whose numbers only the index knows. */
  readonly terms: readonly RowTerm[]
  /** Zeros for an entry without a vector. */
  readonly quantised: Uint8Array
}

/** @param entries of one knowledge base, each with a document id of its own */
export function prepareEntries(entries: readonly StructuredEntry[], dimension: number): PreparedEntries {
  const bodyLengths = new Uint32Array(entries.length)
  const titleLengths = new Uint32Array(entries.length)
  const postings = new Map<string, number[]>()
  for (const [position, entry] of entries.entries()) {
    const body = tokenize(entry.body)
    const title = tokenize(entry.title)
    bodyLengths[position] = body.length + 1
    titleLengths[position] = title.length
    for (const token of body) countTerm(postings, token, position)
    for (const token of title) countTerm(postings, titleTermText(token), position)
    const { project, equipment, knowledgeType } = entry
    const fields = { project, equipment, knowledgeType, errorCodes: distinctCodes(entry) }
    for (const text of filterTermTexts(fields).flat()) countTerm(postings, text, position)
    if (entry.vector !== undefined) countTerm(postings, columnTermText('vector'), position)
  }
  const terms = Array.from(postings, ([text, flat]) => ({ ...termOf(text), flat }))
  const none = new Float32Array(dimension)
  const quantised = quantiseRows(
    entries.map(({ vector = none }) => vector),
    dimension
  )
  return { entries, bodyLengths, titleLengths, terms, quantised }
}

/** In the order given; a repeated code counts once. */
export function distinctCodes(entry: StructuredEntry): string[] {
  return [...new Set(entry.errorCodes)]
}

/** What an entry adds to a facet, as text by which equal ones are known: one value, or a set of codes; absent for nothing. */
export function facetValue(entry: StructuredEntry, field: FacetField): string | undefined {
  if (field !== 'errorCodes') return entry[field] === undefined ? undefined : JSON.stringify(entry[field])
  const codes = distinctCodes(entry).toSorted()
  return codes.length === 0 ? undefined : JSON.stringify(codes)
}
