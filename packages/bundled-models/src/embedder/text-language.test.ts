import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textLanguage } from './text-language.ts'

/** Characters on both sides of each border, and a pair of surrogates. */
const characters = [
  '一',
  '\u4dff',
  '\u9fff',
  '\ua000',
  'A',
  'Z',
  'a',
  'z',
  '@',
  '[',
  '`',
  '{',
  'é',
  'ａ',
  '😀',
  ' ',
  '-',
  '7'
]

describe('the language of a text', () => {
  it('is Chinese with a Han character to at most three Latin words, English else', () => {
    expect(textLanguage('重启 the pod now')).toBe('zh')
    expect(textLanguage('盘 the pod now')).toBe('zh')
    expect(textLanguage('盘 the pod restarts now')).toBe('en')
    expect(textLanguage('the pod')).toBe('en')
    expect(textLanguage('')).toBe('en')
  })

  it('counts Han characters and words as their patterns do', () => {
    const text = fc.string({ unit: fc.constantFrom(...characters) })
    fc.assert(
      fc.property(text, (sample) => {
        const han = sample.match(/[\u4e00-\u9fff]/g)?.length ?? 0
        const words = sample.match(/[A-Za-z]+/g)?.length ?? 0
        expect(textLanguage(sample)).toBe(han > 0 && han * 3 >= words ? 'zh' : 'en')
      })
    )
  })
})
