import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CASES_ABSENT_REASON, CASES_PRESENT, readCases } from '../test-material/shared-cases.ts'
import { TOKENIZER_VERSION, tokenize } from './index.ts'

describe('tokenize', () => {
  it.skipIf(!CASES_PRESENT)(`gives the reference tokens for every case (skipped where ${CASES_ABSENT_REASON})`, () => {
    const cases = readCases<{ text: string; tokens: string[] }[]>('tokens.json')
    expect(cases.length).toBeGreaterThan(20)
    for (const { text, tokens } of cases) expect({ text, tokens: tokenize(text) }).toEqual({ text, tokens })
  })

  it('keeps an identifier whole and adds its parts and camelCase pieces', () => {
    expect(tokenize('com.acme.OrderService')).toEqual([
      'com.acme.orderservice',
      'com',
      'acme',
      'orderservice',
      'order',
      'service'
    ])
    expect(tokenize('HTTPServer2xx')).toEqual(['httpserver2xx', 'http', 'server', 'xx'])
  })

  it('splits an identifier from the CJK text that it is glued to', () => {
    expect(tokenize('报错E_1027重启')).toEqual(['报', '错', '报错', 'e_1027', '1027', '重', '启', '重启'])
  })

  it('gives characters and pairs of Han from the astral planes, never halves of a surrogate pair', () => {
    expect(tokenize('𠮷野𰀀')).toEqual(['𠮷', '野', '𰀀', '𠮷野', '野𰀀'])
  })

  it('leaves joiners at the ends of an identifier out, also several in a row', () => {
    expect(tokenize('--a_b:: ...')).toEqual(['a_b'])
    expect(tokenize('snake__double')).toEqual(['snake__double', 'snake', 'double'])
  })

  it('folds full-width forms, ligatures and case', () => {
    expect(tokenize('ＡＢＣ ﬁle É')).toEqual(['abc', 'file', 'é'])
  })

  it('counts one letter of an astral script as one character, which is too short for a part', () => {
    expect(tokenize('𐐨.ab')).toEqual(['𐐨.ab', 'ab'])
  })

  it('lower-cases a final sigma by the word it ends, not by the identifier around it', () => {
    expect(tokenize('ΟΔΟΣ.x')).toEqual(['οδοσ.x', 'οδος'])
  })

  it('gives nothing for text without letters or digits, and survives lone surrogates', () => {
    expect(tokenize('？！。 \n… ---')).toEqual([])
    expect(tokenize('a\ud800b \udc00')).toEqual(['a', 'b'])
  })

  it('gives tokens that are all found again by searching for the text itself, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (left, right) => {
        const together = new Set(tokenize(`${left} \n ${right}`))
        for (const token of [...tokenize(left), ...tokenize(right)]) expect(together).toContain(token)
      })
    )
  })

  it('never gives an empty token or one with white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const token of tokenize(text)) expect(token).toMatch(/^\S+$/u)
      })
    )
  })

  it('takes a line of 400,000 characters without spaces in linear time', () => {
    const started = performance.now()
    expect(tokenize('x'.repeat(400_000))).toHaveLength(1)
    expect(tokenize('a.'.repeat(200_000))).toHaveLength(1)
    expect(tokenize('网'.repeat(400_000))).toHaveLength(799_999)
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it('names its version', () => {
    expect(TOKENIZER_VERSION).toBe('v1')
  })
})
