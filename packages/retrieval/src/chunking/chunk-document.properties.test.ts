import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchedText } from '../evidence/index.ts'
import { countTokens } from '../test-material/count-tokens.ts'
import { chunkDocument } from './index.ts'
import type { Block, ChunkOptions, ChunkStrategy, ExtractedText, TableBlock } from './index.ts'

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' })
const STRATEGIES: readonly ChunkStrategy[] = ['markdown', 'paragraph', 'fixed', 'word']

const awkward = fc.constantFrom(
  'a',
  'Bc9',
  '网',
  '𠮷',
  'e\u0301',
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '🇨🇳',
  ' ',
  ' \u0301',
  '。',
  '！\ufe0f',
  '. ',
  ', ',
  '\n',
  '('
)
const line = fc.array(awkward, { minLength: 1, maxLength: 60 }).map((units) => units.join(''))
const gap = fc.constantFrom('\n\n', '\n', '\n---\n', '\n<!-- kept apart -->\n', '\n1. ')

type Draft = {
  readonly kind: Block['kind']
  readonly lines: readonly string[]
  readonly level: number
  readonly gap: string
}

const draft: fc.Arbitrary<Draft> = fc.record({
  kind: fc.constantFrom<Block['kind']>('heading', 'paragraph', 'paragraph', 'code', 'list-item', 'list-item', 'table'),
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  level: fc.integer({ min: 1, max: 4 }),
  gap
})

const document = fc.array(draft, { maxLength: 12 }).map((drafts): ExtractedText => {
  let text = ''
  const blocks: Block[] = []
  for (const { kind, lines, level, gap: behind } of drafts) {
    const spans: { start: number; end: number }[] = []
    const start = text.length
    for (const content of kind === 'heading' ? lines.slice(0, 1) : lines) {
      spans.push({ start: text.length, end: text.length + content.length })
      text += `${content}\n`
    }
    blocks.push(blockOf(kind, spans, { start, end: text.length - 1 }, level, text))
    text += behind
  }
  return { text, blocks }
})

function blockOf(
  kind: Block['kind'],
  spans: TableBlock['rows'],
  span: TableBlock['header'],
  level: number,
  text: string
): Block {
  if (kind === 'heading') return { kind, level, title: text.slice(span.start, span.end), ...span }
  return kind === 'table' ? { kind, header: spans[0]!, rows: spans.slice(1), ...span } : { kind, ...span }
}

const options: fc.Arbitrary<ChunkOptions> = fc
  .record({
    strategy: fc.constantFrom(...STRATEGIES),
    size: fc.integer({ min: 8, max: 120 }),
    overlapShare: fc.double({ min: 0, max: 0.9, noNaN: true }),
    inTokens: fc.boolean(),
    max: fc.integer({ min: 24, max: 120 }),
    title: fc.constantFrom('', 'T', '网关')
  })
  .map(({ size, overlapShare, inTokens, max, ...rest }) => ({
    ...rest,
    size,
    overlap: Math.floor(size * overlapShare),
    measure: inTokens ? countTokens : (text: string) => text.length,
    bound: { countTokens, max }
  }))

function isOneGrapheme(text: string): boolean {
  return Array.from(SEGMENTER.segment(text)).length === 1
}

describe('chunkDocument, whatever the document and options', () => {
  it('puts every character of every block but headings into some chunk', () => {
    fc.assert(
      fc.property(document, options, (extracted, chosen) => {
        const covered = new Uint8Array(extracted.text.length)
        for (const { start, end } of chunkDocument(extracted, chosen)) covered.fill(1, start, end)
        const body = extracted.blocks.filter((block) => block.kind !== 'heading')
        for (const { start, end } of body) {
          const missing = extracted.text
            .slice(start, end)
            .split('')
            .filter((_, at) => covered[start + at] === 0)
          expect(missing.join('').trim()).toBe('')
        }
      }),
      { numRuns: 300 }
    )
  })

  it('gives slices of the text, preceded by nothing but the header of a cut table, never blank, in order', () => {
    fc.assert(
      fc.property(document, options, (extracted, chosen) => {
        let reached = -1
        for (const [index, chunk] of chunkDocument(extracted, chosen).entries()) {
          const slice = extracted.text.slice(chunk.start, chunk.end)
          const before = chunk.content.slice(0, chunk.content.length - slice.length)
          expect(chunk.content.endsWith(slice)).toBe(true)
          expect(before === '' || isHeaderOf(extracted, before)).toBe(true)
          expect(slice.trim()).not.toBe('')
          expect(slice).not.toContain('kept apart')
          expect(chunk.sequence).toBe(index)
          expect(chunk.end).toBeGreaterThan(reached)
          reached = chunk.end
        }
      }),
      { numRuns: 300 }
    )
  })

  it('keeps the searched text within the bound, and the content within the size unless it is one grapheme', () => {
    fc.assert(
      fc.property(document, options, (extracted, chosen) => {
        for (const { headingPath, content } of chunkDocument(extracted, chosen)) {
          const searched = searchedText({ title: chosen.title, headingPath, content })
          expect(countTokens(searched)).toBeLessThanOrEqual(chosen.bound.max)
          expect(chosen.measure(content) <= chosen.size || isOneGrapheme(content)).toBe(true)
        }
      }),
      { numRuns: 300 }
    )
  })

  it('never cuts a grapheme', () => {
    fc.assert(
      fc.property(document, options, (extracted, chosen) => {
        const boundaries = new Set(Array.from(SEGMENTER.segment(extracted.text), (segment) => segment.index))
        boundaries.add(extracted.text.length)
        for (const { start, end } of chunkDocument(extracted, chosen)) {
          expect([boundaries.has(start), boundaries.has(end)]).toEqual([true, true])
        }
      }),
      { numRuns: 300 }
    )
  })

  it('gives the same chunks again', () => {
    fc.assert(
      fc.property(document, options, (extracted, chosen) => {
        expect(chunkDocument(extracted, chosen)).toEqual(chunkDocument(extracted, chosen))
      })
    )
  })
})

function isHeaderOf({ text, blocks }: ExtractedText, before: string): boolean {
  const headers = blocks.flatMap((block) =>
    block.kind === 'table' ? [text.slice(block.header.start, block.header.end)] : []
  )
  return headers.some((header) => `${header.trim()}\n` === before)
}
