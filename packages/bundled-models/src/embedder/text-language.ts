/** The two languages that the means were measured for; every text counts as one of them. */
export type TextLanguage = 'zh' | 'en'

const HAN = /[\u4e00-\u9fff]/g
const LATIN_WORD = /[A-Za-z]+/g
/** A Chinese text about software is full of English words: three to a Han character still leave it Chinese. */
const WORDS_PER_HAN = 3

export function textLanguage(text: string): TextLanguage {
  const han = text.match(HAN)?.length ?? 0
  const words = text.match(LATIN_WORD)?.length ?? 0
  return han > 0 && han * WORDS_PER_HAN >= words ? 'zh' : 'en'
}
