import { checkStructuredRequest } from '@oncall-agent/retrieval'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Excerpt, excerptsOf } from './excerpt.ts'

const questionOf = (request: { keywords?: string[]; query_text?: string }) =>
  checkStructuredRequest(request, { pairs: [], knowledgeTypes: [], maxResultWindow: 100 }).question!
const excerptOf = (text: string, question: Parameters<typeof excerptsOf>[1]): Excerpt =>
  excerptsOf([text], question)[0]!
const filler = (length: number): string => 'lorem ipsum dolor sit amet '.repeat(length / 27 + 1).slice(0, length)
/** A text of 200,000 characters with the word at a place. */
const long = (at: number): string => `${filler(at)} fuse ${filler(200_000 - at)}`

describe('an excerpt', () => {
  it('of a short text is the text', () => {
    const text = ' Check the fuse.\n'
    expect(excerptOf(text, questionOf({ keywords: ['fuse'] }))).toEqual({ text: 'Check the fuse.', start: 1, end: 16 })
    expect(excerptOf('', questionOf({ keywords: ['fuse'] }))).toEqual({ text: '', start: 0, end: 0 })
  })

  it('is where most of the keywords stand, however they are written there', () => {
    const text = `${filler(900)} fuse ${filler(900)} The FUSE and the Float-Switch of E_1027. ${filler(900)}`
    const { text: shown } = excerptOf(text, questionOf({ keywords: ['fuse', 'float-switch', 'e_1027'] }))
    expect(shown).toContain('FUSE and the Float-Switch of E_1027')
  })

  it('of places with as many keywords is the one where they stand closest, then the first', () => {
    const text = `fuse ${filler(100)} pump ${filler(900)} fuse pump ${filler(900)} pump fuse ${filler(400)}`
    const { start, text: shown } = excerptOf(text, questionOf({ keywords: ['pump', 'fuse'] }))
    expect(shown).toContain('fuse pump')
    expect(start).toBeLessThan(1_100)
  })

  it('looks for parts of a keyword that does not stand there whole', () => {
    const text = `${filler(600)}网关在磁盘写满后重启。${filler(600)}`
    expect(excerptOf(text, questionOf({ keywords: ['网关磁盘'] })).text).toContain('磁盘写满')
  })

  it('goes by the sentence where there are no keywords, and by the beginning where nothing stands', () => {
    const text = `${filler(600)} The pump trips at night. ${filler(600)}`
    expect(excerptOf(text, questionOf({ query_text: 'why does the pump trip?' })).text).toContain('pump trips')
    expect(excerptOf(text, questionOf({ query_text: '为什么' })).start).toBe(0)
    expect(excerptOf(text, questionOf({})).start).toBe(0)
  })

  it('keeps its places in a text whose small letters are longer', () => {
    const text = `${'İ'.repeat(300)} fuse ${filler(500)}`
    const { text: shown, start, end } = excerptOf(text, questionOf({ keywords: ['fuse'] }))
    expect(shown).toBe(text.slice(start, end))
    expect(shown).toContain('fuse')
  })

  it('of a very long text is looked for in its first 200,000 characters, and is else its beginning', () => {
    const question = questionOf({ keywords: ['fuse'] })
    const near = `${filler(199_900)} fuse ${filler(300_000)}`
    const { start, end, text } = excerptOf(near, question)
    expect([text.includes('fuse'), text === near.slice(start, end), start > 199_800]).toEqual([true, true, true])
    expect(excerptOf(`${filler(200_000)} fuse ${filler(300)}`, question).start).toBe(0)
  })

  it('of many long texts and many words is looked for in less of each, and in more where others are short', () => {
    const keywords = Array.from({ length: 50 }, (_, at) => `absent${at}`)
    const question = questionOf({ keywords: [...keywords, 'fuse'] })
    const found = (texts: readonly string[]) => excerptsOf(texts, question).map(({ text }) => text.includes('fuse'))
    const many = (at: number) => Array.from({ length: 100 }, () => long(at))
    expect(new Set(found(many(500)))).toEqual(new Set([true]))
    expect(new Set(found(many(5_000)))).toEqual(new Set([false]))
    const afterShort = [...Array.from({ length: 99 }, () => 'fuse'), long(50_000)]
    expect(new Set(found(afterShort))).toEqual(new Set([true]))
  })

  it('is a span of the text, of bounded length, cut between whole characters', () => {
    const unit = fc.constantFrom('a', ' ', '\n', '网', '𠮷', 'é', '👨‍👩‍👧‍👦', '👍🏽', 'fuse', 'İ')
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 300 }),
        fc.array(fc.string({ unit, maxLength: 4 })),
        (text, keywords) => {
          const { text: shown, start, end } = excerptOf(text, questionOf({ keywords }))
          expect(shown).toBe(text.slice(start, end))
          expect(shown.length).toBeLessThanOrEqual(240)
          expect(shown).toBe(shown.trim())
          const boundaries = new Set([...Array.from(segmenter.segment(text), ({ index }) => index), text.length])
          expect([start, end].filter((at) => !boundaries.has(at))).toEqual([])
        }
      )
    )
  })
})
