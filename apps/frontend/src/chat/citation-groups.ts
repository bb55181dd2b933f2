import type { Message, Source, ToolUse } from '@oncall-agent/api-contracts'

/** What one retrieval of an answer found. */
export interface CitationGroup {
  readonly callId: string
  /** From 1, in the order in which the agent searched. */
  readonly number: number
  readonly runId: string | null
  /** What was searched for; null when the page does not know it. */
  readonly query: string | null
  /** The best first, at most five. */
  readonly sources: readonly Source[]
}

/** Pieces of evidence that a retrieval has at most, as the contract has it. */
const SOURCES_LIMIT = 5

/** The sources of an answer by the retrieval that found them: ranks and scores can be compared only within one. */
export function citationGroups({ sources, tools }: Message): readonly CitationGroup[] {
  const byCall = Map.groupBy(sources, ({ callId }) => callId)
  return [...byCall].map(([callId, found], index) => ({
    callId,
    number: index + 1,
    runId: found[0]?.runId ?? null,
    query: queryOf(tools.find((call) => call.callId === callId)),
    sources: found.toSorted(better).slice(0, SOURCES_LIMIT)
  }))
}

/** The group of the marker first, then those that the answer refers to. */
export function groupsFor(message: Message, marker: number): readonly CitationGroup[] {
  const weight = (group: CitationGroup): number => {
    if (group.sources.some((source) => source.marker === marker)) return 0
    return group.sources.some(({ cited }) => cited) ? 1 : 2
  }
  return citationGroups(message).toSorted((a, b) => weight(a) - weight(b))
}

function better(a: Source, b: Source): number {
  return (b.rerankScore ?? -Infinity) - (a.rerankScore ?? -Infinity) || a.marker - b.marker
}

/** Arguments are JSON text, which may have been shortened for show. */
function queryOf(call: ToolUse | undefined): string | null {
  try {
    const given: unknown = JSON.parse(call?.arguments ?? 'null')
    const query = typeof given === 'object' && given !== null && 'query' in given ? given.query : null
    return typeof query === 'string' && query !== '' ? query : null
  } catch {
    // Cut in the middle: what was searched for is told by the record of the run.
    return null
  }
}
