import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAtGrapheme, graphemeBoundary } from './index.ts'

const FAMILY = '👨‍👩‍👧‍👦'
const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' })
const awkwardText = fc.string({
  unit: fc.constantFrom('a', '网', '𠮷', 'é', FAMILY, '👍🏽', '🇨🇳', '\r\n', '\u0301', '각')
})

describe('graphemeBoundary', () => {
  it('steps back before a family of emoji, a letter with its mark, an astral character, a flag and CR LF', () => {
    for (const grapheme of [FAMILY, 'e\u0301', '𠮷', '🇨🇳', '\r\n', '👍🏽']) {
      for (let inside = 1; inside < grapheme.length; inside++) {
        expect({ grapheme, at: graphemeBoundary(`ab${grapheme}cd`, 2 + inside) }).toEqual({ grapheme, at: 2 })
      }
      expect(graphemeBoundary(`ab${grapheme}cd`, 2 + grapheme.length)).toBe(2 + grapheme.length)
    }
  })

  it('sees a skin tone right behind the cut, which begins with half a surrogate pair', () => {
    expect(cutAtGrapheme('ab👍🏽', 4)).toBe('ab')
  })

  it('equals the last boundary of the whole text, whatever the text, the cut and the known boundary', () => {
    fc.assert(
      fc.property(awkwardText, fc.nat(40), fc.nat(40), (text, index, known) => {
        const boundaries = [...Array.from(SEGMENTER.segment(text), (segment) => segment.index), text.length]
        const start = boundaries.findLast((boundary) => boundary <= Math.min(known, index))
        expect(graphemeBoundary(text, index, start)).toBe(boundaries.findLast((boundary) => boundary <= index))
      })
    )
  })

  it('leaves a text within the limit as it is', () => {
    expect(cutAtGrapheme('短文本', 480)).toBe('短文本')
  })
})
