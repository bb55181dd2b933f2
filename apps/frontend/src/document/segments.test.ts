import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blocksOf, segmentsOf, spanWithin } from './segments.ts'

describe('the text cut at the borders of its chunks', () => {
  test('chunks that overlap share a segment, and a gap belongs to none', () => {
    const segments = segmentsOf('abcdefghij', [
      { start: 1, end: 5 },
      { start: 4, end: 7 }
    ])
    expect(segments).toEqual([
      { start: 0, text: 'a', chunk: null, covers: 0 },
      { start: 1, text: 'bcd', chunk: 0, covers: 1 },
      { start: 4, text: 'e', chunk: 0, covers: 2 },
      { start: 5, text: 'fg', chunk: 1, covers: 1 },
      { start: 7, text: 'hij', chunk: null, covers: 0 }
    ])
  })

  test('one more span has its borders, and is no chunk', () => {
    expect(segmentsOf('abcd', [{ start: 0, end: 3 }], { start: 1, end: 9 })).toEqual([
      { start: 0, text: 'a', chunk: 0, covers: 1 },
      { start: 1, text: 'bc', chunk: 0, covers: 1 },
      { start: 3, text: 'd', chunk: null, covers: 0 }
    ])
  })

  test('a text without chunks is one segment, an empty text none', () => {
    expect(segmentsOf('ab', [])).toEqual([{ start: 0, text: 'ab', chunk: null, covers: 0 }])
    expect(segmentsOf('', [{ start: 0, end: 5 }])).toEqual([])
  })

  const spans = fc
    .array(fc.tuple(fc.integer({ min: -5, max: 80 }), fc.nat(30)))
    .map((all) => all.map(([start, length]) => ({ start, end: start + length })).toSorted((a, b) => a.start - b.start))

  test('the segments are the text again, whatever the spans say', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60, unit: 'grapheme' }), spans, (text, chunks) => {
        expect(
          segmentsOf(text, chunks)
            .map((segment) => segment.text)
            .join('')
        ).toBe(text)
      })
    )
  })

  test('a segment is covered by exactly the chunks whose span it lies in', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60 }), spans, (text, chunks) => {
        for (const { start, text: piece, covers } of segmentsOf(text, chunks)) {
          const end = start + piece.length
          expect(covers).toBe(chunks.filter((chunk) => chunk.start <= start && chunk.end >= end).length)
        }
      })
    )
  })

  test('five thousand chunks of a long text are cut in a moment', () => {
    const text = 'x'.repeat(2_000_000)
    const chunks = Array.from({ length: 5_000 }, (_each, index) => ({ start: index * 400, end: index * 400 + 460 }))
    const began = performance.now()
    expect(segmentsOf(text, chunks)).toHaveLength(9_999)
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})

describe('segments in blocks', () => {
  const line = `${'x'.repeat(99)}\n`
  const text = line.repeat(1_000)
  const chunks = Array.from({ length: 200 }, (_each, index) => ({ start: index * 490, end: index * 490 + 530 }))
  const blocks = blocksOf(segmentsOf(text, chunks))
  const textOf = (block: (typeof blocks)[number]): string => block.map((segment) => segment.text).join('')

  test('are the text again, and every block ends with its line', () => {
    expect(blocks.map(textOf).join('')).toBe(text)
    expect(blocks.length).toBeGreaterThan(20)
    expect(blocks.every((block) => textOf(block).endsWith('\n'))).toBe(true)
    for (const segment of blocks.flat()) expect(text.startsWith(segment.text, segment.start)).toBe(true)
  })

  test('a text without line ends is one block, an empty text none', () => {
    expect(blocksOf(segmentsOf('x'.repeat(50_000), chunks))).toHaveLength(1)
    expect(blocksOf([])).toEqual([])
  })

  test('a chosen span touches only the blocks that it lies in, and nothing of it is lost', () => {
    for (const span of chunks) {
      const parts = blocks.map((block) => spanWithin(block, span)).filter((part) => part !== null)
      expect(parts.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text.slice(span.start, span.end))
      expect(parts.length).toBeLessThanOrEqual(2)
    }
    expect(spanWithin(blocks[0]!, undefined)).toBeNull()
  })
})
