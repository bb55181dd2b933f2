import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createTokenCounter } from '@oncall-agent/bundled-models'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'
import { remoteTokenCounter } from './remote-token-counter.ts'

const MARKDOWN = new URL('../../../../../../shared/files/markdown/', import.meta.url)
const MARKDOWN_PRESENT = existsSync(MARKDOWN)
/** A chunk of a document is about this many characters. */
const PIECE = 1_200

describe('the estimate', () => {
  it.for([
    ['nothing', '', 2],
    ['ideographs one by one', '网关连接重置', 8],
    ['a short word as one token', 'pod', 3],
    ['a long word as several', 'responsibilities', 8],
    ['a blank before a word as part of it', 'a pod', 4],
    ['digits and marks one by one', '10.2.33.4', 11],
    ['parts of a camel-case name', 'KubePodCrash', 7],
    ['an emoji as two', '🔥', 4]
  ] as const)('counts %s', ([, text, tokens]) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  it('grows with the text, and by no more than two for a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 1 }), (text, more) => {
        const grown = estimateTokens(text + more) - estimateTokens(text)
        expect(grown).toBeGreaterThanOrEqual(0)
        expect(grown).toBeLessThanOrEqual(2 * Math.max(1, more.length))
      })
    )
  })

  it('takes a megabyte of one character in less than a second', () => {
    const started = performance.now()
    for (const character of ['A', 'a', ' ', '0', '网']) estimateTokens(character.repeat(1_000_000))
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('is found by its address and name, as the process that cuts documents looks for it', async () => {
    const exports = (await import(remoteTokenCounter.moduleUrl)) as Record<string, () => (text: string) => number>
    expect(exports[remoteTokenCounter.exportName]!()('网关')).toBe(4)
  })

  it.skipIf(!MARKDOWN_PRESENT)(
    'hardly ever counts less than a real tokenizer does (skipped where ../shared/files is absent)',
    () => {
      const count = createTokenCounter()
      const pieces = readdirSync(MARKDOWN).flatMap((name) => piecesOf(readFileSync(new URL(name, MARKDOWN), 'utf8')))
      const ratios = pieces.map((piece) => estimateTokens(piece) / count(piece)).toSorted((left, right) => left - right)
      expect(ratios.length).toBeGreaterThan(100)
      expect(ratios[0]).toBeGreaterThan(0.85)
      expect(ratios[Math.floor(ratios.length / 50)]).toBeGreaterThanOrEqual(1)
      expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(1.8)
    }
  )
})

function piecesOf(text: string): string[] {
  const count = Math.floor(Math.min(text.length, 60_000) / PIECE)
  return Array.from({ length: count }, (_, i) => text.slice(i * PIECE, (i + 1) * PIECE))
}
