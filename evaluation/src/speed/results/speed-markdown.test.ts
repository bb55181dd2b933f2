import { describe, expect, it } from 'vitest'
import { handwrittenMark } from '../../markdown/handwritten.ts'
import { atLeast, atMost, judge, skipped } from './bench-result.ts'
import { speedMarkdown } from './speed-markdown.ts'

const report = {
  chunks: 100_000,
  what: 'all',
  machine: '2 x Processor, 24 GiB',
  results: [
    judge({ name: 'vector.over-memory-read', value: 1.4, unit: 'ratio', note: '14 ms, 10 ms' }, atMost(1.6)),
    judge({ name: 'lexical.faster-than-fts5', value: 4, unit: 'ratio', note: 'n' }, atLeast(5)),
    judge({ name: 'ingest.health-p95', value: 6, unit: 'ms', note: 'n' }),
    skipped({ name: 'lexical.over-tantivy', unit: 'ratio' }, atMost(3), 'no Python')
  ]
}

describe('the speed report', () => {
  const text = speedMarkdown(report, '', new Date('2026-03-04T05:06:07Z'))

  it('says when, by which command and where it was measured', () => {
    expect(text).toContain('Measured 2026-03-04 by `oncall bench all --chunks 100000` on 2 x Processor, 24 GiB')
  })

  it('has a row a figure with budget, verdict and the command that gives it', () => {
    expect(text).toContain(
      '| vector.over-memory-read | 1.4 ratio | <= 1.6 | met | `oncall bench vector` | 14 ms, 10 ms |'
    )
    expect(text).toContain('| lexical.faster-than-fts5 | 4 ratio | >= 5 | **missed** | `oncall bench lexical` | n |')
    expect(text).toContain('| ingest.health-p95 | 6 ms |  |  | `oncall bench ingest` | n |')
  })

  it('says what was not measured, and why', () => {
    expect(text).toContain(
      '| lexical.over-tantivy | not measured | <= 3 |  | `oncall bench lexical` | skipped: no Python |'
    )
  })

  it('keeps what was written by hand', () => {
    const again = speedMarkdown(report, `old\n${handwrittenMark}\n\n## Notes\n`)
    expect(again.endsWith(`${handwrittenMark}\n\n## Notes\n`)).toBe(true)
    expect(again).not.toContain('old\n')
  })
})
