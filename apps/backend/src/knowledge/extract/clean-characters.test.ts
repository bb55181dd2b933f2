import { describe, expect, it } from 'vitest'
import { cleanCharacters } from './clean-characters.ts'

describe('cleaning characters', () => {
  it('makes every line end a line feed', () => {
    expect(cleanCharacters('a\r\nb\rc\u2028d\u0085e')).toBe('a\nb\nc\nd\ne')
  })

  it('removes what nobody sees, so that a word is whole again', () => {
    expect(cleanCharacters('tbl\u200B-na\u00ADme \uFEFF\u202Ex\u0007y\u{E0041}')).toBe('tbl-name xy')
    expect(cleanCharacters('重\u200D启\u200C')).toBe('重启')
  })

  it('keeps tabs, emoji sequences and joiners that shape letters', () => {
    expect(cleanCharacters('a\tb 🤦🏿\u200D♀️ 👩\u200D🚒')).toBe('a\tb 🤦🏿\u200D♀️ 👩\u200D🚒')
    expect(cleanCharacters('می\u200Cخواهم')).toBe('می\u200Cخواهم')
  })

  it('drops lost characters rather than index them', () => {
    expect(cleanCharacters('a\uFFFDb')).toBe('ab')
  })
})
