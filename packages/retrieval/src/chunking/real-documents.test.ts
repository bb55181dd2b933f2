import { describe, expect, it } from 'vitest'
import { countTokens } from '../test-material/count-tokens.ts'
import {
  CASES_ABSENT_REASON,
  CASES_PRESENT,
  FILES_ABSENT_REASON,
  FILES_PRESENT
} from '../test-material/shared-cases.ts'
import { readSharedText } from '../test-material/shared-cases.ts'
import { simpleBlocks } from '../test-material/simple-blocks.ts'
import { chunkDocument } from './index.ts'
import type { ChunkSlice, ChunkStrategy } from './index.ts'

function chunk(text: string, strategy: ChunkStrategy = 'markdown', count = countTokens): ChunkSlice[] {
  const bound = { countTokens: count, max: 512 }
  return chunkDocument(simpleBlocks(text), { strategy, size: 480, overlap: 60, measure: count, bound, title: 'Page' })
}

function codesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(/Error Number: \d+/g), ([found]) => found))
}

describe.skipIf(!FILES_PRESENT)(`real runbooks (skipped where ${FILES_ABSENT_REASON})`, () => {
  it('puts no more than a handful of 100 error codes into one chunk, and each into some', () => {
    const text = readSharedText('files/markdown', 'tidb_error_codes_zh.md')
    const chunks = chunk(text).map((slice) => slice.content)
    expect(Math.max(...chunks.map((content) => codesIn(content).size))).toBeLessThanOrEqual(5)
    expect(codesIn(chunks.join('\n'))).toEqual(codesIn(text))
    expect(codesIn(text).size).toBeGreaterThan(100)
  })

  it('puts one setting into one chunk on a page of 500 settings', () => {
    const chunks = chunk(readSharedText('files/markdown', 'tidb_system_variables_zh.md'))
    expect(chunks.length).toBeGreaterThan(500)
    const settings = new Set(chunks.map((slice) => slice.headingPath.at(-1)))
    expect(settings.size).toBeGreaterThan(400)
  })

  it('puts one alert into one chunk, with the name of the alert in the heading path', () => {
    const chunks = chunk(readSharedText('files/markdown', 'cortex_playbooks.md'))
    const alerts = chunks.filter((slice) => slice.headingPath.includes('CortexIngesterReachingSeriesLimit'))
    expect(alerts.length).toBeGreaterThan(0)
    expect(new Set(alerts.map((slice) => slice.headingPath.join('>'))).size).toBe(1)
  })
})

describe.skipIf(!CASES_PRESENT)(`small files after known faults (skipped where ${CASES_ABSENT_REASON})`, () => {
  it('finds the one clause of 400 in a span of its own', () => {
    const text = readSharedText('cases/peers', 'deep_citation.md')
    const holding = chunk(text).filter((slice) => slice.content.includes('CLAUSE-400'))
    expect(holding).toHaveLength(1)
    expect(text.slice(holding[0]!.start, holding[0]!.end)).toContain('CLAUSE-400')
  })

  it('repeats the header in every part of a table of 1,000 codes', () => {
    const chunks = chunk(readSharedText('cases/peers', 'table_long.md'))
    expect(chunks.length).toBeGreaterThan(10)
    for (const { content } of chunks) expect(content.startsWith('| code | meaning |')).toBe(true)
  })
})

describe('very long documents', () => {
  const long = {
    'one word': 'x'.repeat(400_000),
    'Chinese without a stop': '网'.repeat(400_000),
    'nothing but stops': '。'.repeat(400_000),
    'one letter under 400,000 marks': `e${'\u0301'.repeat(400_000)}`,
    words: 'alpha beta. '.repeat(40_000),
    sections: '# a\n\nb\n\n'.repeat(40_000)
  }

  it.each(Object.entries(long))('cuts %s in seconds, reading each character a bounded number of times', (_, text) => {
    for (const strategy of ['markdown', 'paragraph', 'fixed', 'word'] as const) {
      let counted = 0
      const chunks = chunk(text, strategy, (part) => {
        counted += part.length
        return countTokens(part)
      })
      expect(chunks.length).toBeGreaterThan(100)
      expect(counted).toBeLessThan(text.length * 20)
    }
  })
})
