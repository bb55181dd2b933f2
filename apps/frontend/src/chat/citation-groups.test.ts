import type { Message } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { question, sourcesOf, toolUse } from '../../dev/sample-chat.ts'
import { sampleRun } from '../../dev/sample-run.ts'
import { beginningOf } from './answer-events.ts'
import { citationGroups, groupsFor } from './citation-groups.ts'

const found = (callId: string, topK: number, first: number, cited: readonly number[]) =>
  sourcesOf(sampleRun(`run-${callId}`, { query: 'x', topK }).answer.citations, {
    callId,
    runId: `run-${callId}`,
    first,
    cited
  })

const answer: Message = {
  ...beginningOf('c', 'm', question('q', 'c', 0, 'why?')),
  sources: [...found('a', 3, 1, []), ...found('b', 5, 4, [4]), ...found('c', 2, 9, [])].toReversed(),
  tools: [
    toolUse('a', 'knowledge_retrieval', { query: 'first' }),
    toolUse('b', 'knowledge_retrieval', '{"query":"cut o')
  ]
}

describe('sources of an answer', () => {
  test('are grouped by the call that found them, best first, at most five', () => {
    const extra = { ...answer, sources: [...answer.sources, ...found('b', 1, 20, [])] }
    const groups = citationGroups(extra)
    expect(groups.map(({ callId, sources }) => [callId, sources.length])).toEqual([
      ['c', 2],
      ['b', 5],
      ['a', 3]
    ])
    for (const { sources } of groups) {
      const scores = sources.map(({ rerankScore }) => rerankScore ?? 0)
      expect(scores).toEqual(scores.toSorted((x, y) => y - x))
    }
  })

  test('begin with the group of the marker, then what the answer refers to', () => {
    expect(groupsFor(answer, 10).map(({ callId }) => callId)).toEqual(['c', 'b', 'a'])
    expect(groupsFor(answer, 1).map(({ callId }) => callId)).toEqual(['a', 'b', 'c'])
  })

  test('know what was asked for, unless the arguments were cut for show', () => {
    const byCall = new Map(citationGroups(answer).map(({ callId, query }) => [callId, query]))
    expect([byCall.get('a'), byCall.get('b'), byCall.get('c')]).toEqual(['first', null, null])
  })
})
