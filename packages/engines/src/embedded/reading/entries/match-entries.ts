import { rescore, vectorPartOf } from '@oncall-agent/retrieval'
import type { MatchRequest, Rescore, StructuredHit, StructuredRecall } from '@oncall-agent/retrieval'
import type { StopCheck } from '../read-transaction.ts'
import { TopCandidates } from '../top-candidates.ts'
import type { CorpusOrder } from './corpus-order.ts'
import type { EntryScopes, EntrySelection } from './entry-scope.ts'
import type { EntryTable } from './entry-table.ts'
import type { PageMatcher } from './match-pages.ts'
import { topEntries } from './top-entries.ts'
import type { ScoredEntry } from './top-entries.ts'

export interface EntryParts {
  readonly scopes: EntryScopes
  readonly matcher: PageMatcher
  readonly order: CorpusOrder
  readonly table: EntryTable
}

interface RankedEntry extends ScoredEntry {
  readonly bm25: number
  readonly vectorPart: number
}

interface Recalled {
  readonly total: number
  /** The best by BM25, as many as are needed. */
  readonly best: readonly ScoredEntry[]
}

/**
 * Ranks what matches: the best by BM25 as far as page and window reach, the window rescored by float32 vectors, then the page
 * cut out. Behind the window nothing passes, so no more has to be ranked. Text is read for the page alone.
 */
export function matchEntries(request: MatchRequest, parts: EntryParts, stop: StopCheck): StructuredRecall {
  const { from, size, rescore: rule } = request
  const selections = parts.scopes.select(request)
  const entries = selections.reduce((sum, { selected }) => sum + selected.chunks, 0)
  const reach = Math.min(entries, Math.max(from + size, rule?.window ?? 0))
  const isEverything = request.mode === 'all' && request.clauses.length === 0 && !selections.some(isFiltered)
  const { total, best } = isEverything
    ? { total: entries, best: allInOrder(selections, reach, parts, stop) }
    : recall(request, { selections, reach }, parts, stop)
  const page = rescored(best, rule, parts, stop).slice(from, from + size)
  return { total, hits: page.map((entry) => hitOf(entry, parts, stop)) }
}

function isFiltered({ selected }: EntrySelection): boolean {
  return selected.masks !== undefined
}

/** With nothing to match and nothing to leave out, the first in corpus order are known without looking at the others. */
function allInOrder(
  selections: readonly EntrySelection[],
  reach: number,
  { order }: EntryParts,
  stop: StopCheck
): ScoredEntry[] {
  stop()
  return order.firstOfAll(selections, reach).map((entry) => ({ ...entry, score: 0 }))
}

function recall(
  request: MatchRequest,
  { selections, reach }: { readonly selections: readonly EntrySelection[]; readonly reach: number },
  parts: EntryParts,
  stop: StopCheck
): Recalled {
  const top = new TopCandidates<ScoredEntry>(reach)
  let total = 0
  for (const { selection, slots, matched, count, scores } of parts.matcher.match(request, selections, stop)) {
    total += count
    for (let index = 0; index < count; index++) {
      const slot = matched[index]!
      const score = scores[slot]!
      if (score >= top.threshold) top.add({ selection, row: slots.documents[slot]!, score }, score, score)
    }
  }
  const candidates = top.remaining().map(({ item }) => item)
  return { total, best: topEntries(candidates, reach, parts.order) }
}

function rescored(
  recalled: readonly ScoredEntry[],
  rule: Rescore | undefined,
  parts: EntryParts,
  stop: StopCheck
): RankedEntry[] {
  const ranked = recalled.map((entry, position) => {
    const part = rule !== undefined && position < rule.window ? partOf(entry, rule.vector, parts, stop) : 0
    return { ...entry, bm25: entry.score, vectorPart: part }
  })
  return rule === undefined ? ranked : rescore(ranked, rule)
}

function partOf(entry: ScoredEntry, query: Float32Array, parts: EntryParts, stop: StopCheck): number {
  stop()
  return vectorPartOf(query, parts.table.vector(entry.row))
}

export function hitOf(entry: RankedEntry, { table }: EntryParts, stop: StopCheck): StructuredHit {
  stop()
  const { score, bm25, vectorPart } = entry
  return { document: table.document(entry.row), score, bm25, vectorPart }
}
