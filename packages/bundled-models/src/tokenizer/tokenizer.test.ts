import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RESULTS, TEXTS, passageText } from '../test-material/recorded.ts'
import { BUNDLED_WEIGHTS } from '../weights/weight-files.ts'
import { E5_MAX_TOKENS, loadE5Tokenizer } from './e5-tokenizer.ts'
import { normaliseText } from './normalise-text.ts'
import { createTokenCounter } from './token-counter.ts'
import { UnigramModel } from './unigram.ts'
import { loadUseTokenizer } from './use-tokenizer.ts'

const e5 = loadE5Tokenizer(BUNDLED_WEIGHTS)
const use = loadUseTokenizer(BUNDLED_WEIGHTS)
const countTokens = createTokenCounter()
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem())

describe('E5 tokenizer', () => {
  it('gives the ids that the independent Python tokenizer gives', () => {
    for (const [i, query] of TEXTS.queries.entries()) {
      expect({ query, ids: e5.encode(query, 'query').ids }).toEqual({ query, ids: RESULTS.queries[i]!.ids })
    }
    for (const [i, passage] of TEXTS.passages.entries()) {
      expect(e5.encode(passageText(passage), 'passage').ids).toEqual(RESULTS.passages[i]!.ids)
    }
  })

  it('starts the text right behind the mark and the prefix, whatever the text', () => {
    for (const role of ['query', 'passage'] as const) {
      const empty = e5.encode('', role)
      const prefix = empty.ids.slice(0, empty.textFrom)
      fc.assert(
        fc.property(anyText, (text) => {
          expect(e5.encode(text, role).ids.slice(0, prefix.length)).toEqual(prefix)
        })
      )
    }
  })

  it('cuts at the limit, keeps the end mark, and says how long the text was', () => {
    const long = e5.encode('磁盘空间不足，请先清理日志。'.repeat(200), 'passage')
    expect(long.ids).toHaveLength(E5_MAX_TOKENS)
    expect(long.ids.at(-1)).toBe(2)
    expect(long.tokenCount).toBeGreaterThan(1000)
    const again = e5.encode(long.text, 'passage')
    expect(again.ids).toEqual(long.ids)
    expect(again.tokenCount).toBe(E5_MAX_TOKENS)
  })

  it('hands on a short text uncut', () => {
    expect(e5.encode(' 磁盘 满了\n', 'query').text).toBe('磁盘 满了 ')
  })
})

describe('USE tokenizer', () => {
  it('frames its pieces with start and end marks', () => {
    const ids = use.encode('disk full')
    expect([ids[0], ids.at(-1)]).toEqual([1, 2])
    expect(ids.length).toBeGreaterThan(3)
  })

  it('gives one unknown for a text without characters', () => {
    expect(use.encode('')).toEqual([1, 0, 2])
    expect(use.encode(' ')).toEqual([1, 0, 2])
  })

  it('ignores blanks at both ends', () => {
    expect(use.encode(' disk full ')).toEqual(use.encode('disk full'))
  })
})

describe('normalisation', () => {
  it('makes every white space one blank, drops control characters, and folds compatibility forms', () => {
    expect(normaliseText('a\t\r\n\u200bb\u0007\u3000 ｃ ﬁ ½ ㍿')).toBe('a b c fi 1⁄2 株式会社')
  })

  it('changes nothing when applied again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(normaliseText(normaliseText(text))).toBe(normaliseText(text))
      })
    )
  })
})

describe('unigram model', () => {
  const model = new UnigramModel(
    { pieces: ['?', 'a', 'b', 'ab', 'abc', '𠮷'], scores: [0, -1, -1, -1.5, -9, -2], unk_score: -12 },
    { unknown: 0, firstPiece: 1 }
  )

  it('takes the segmentation with the best sum, not the longest piece', () => {
    expect(model.segment('abc').ids).toEqual([4])
    expect(model.segment('aab').ids).toEqual([1, 3])
  })

  it('gives one unknown a character and never splits a surrogate pair', () => {
    expect(model.segment('x𠮷😀')).toEqual({ ids: [0, 5, 0], ends: [1, 3, 5] })
    expect(model.segment('\ud842').ids).toEqual([0])
  })

  it('covers any text without gaps and counts what it gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '𠮷', '😀', '\ud842') }), (text) => {
        const { ids, ends } = model.segment(text)
        expect(model.count(text)).toBe(ids.length)
        expect(ends.at(-1) ?? 0).toBe(text.length)
        expect(ends).toEqual(ends.toSorted((left, right) => left - right))
      })
    )
  })
})

describe('token counter', () => {
  it('counts what the embedder would, prefix and marks included', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countTokens(text)).toBe(e5.encode(text, 'passage').tokenCount)
      })
    )
  })

  it('stays linear on a line of 320 kB', () => {
    for (const line of ['a'.repeat(320_000), '磁盘空间不足'.repeat(53_000), 'kubectl get pods '.repeat(19_000)]) {
      const started = performance.now()
      expect(countTokens(line)).toBeGreaterThan(1000)
      // 30 to 50 ms on a quiet machine; a quadratic walk would take minutes.
      expect(performance.now() - started).toBeLessThan(2000)
    }
  })
})
