/** The two languages that the means were measured for; every text counts as one of them. */
export type TextLanguage = 'zh' | 'en'

const HAN_FIRST = 0x4e00
const HAN_LAST = 0x9fff
/** A Chinese text about software is full of English words: three to a Han character still leave it Chinese. */
const WORDS_PER_HAN = 3

export function textLanguage(text: string): TextLanguage {
  let [han, words, inWord] = [0, 0, false]
  // By code unit: a reranking looks at twenty chunks, and matches of a pattern would be thousands of strings.
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= HAN_FIRST && code <= HAN_LAST) han++
    const latin = isLatinLetter(code)
    if (latin && !inWord) words++
    inWord = latin
  }
  return han > 0 && han * WORDS_PER_HAN >= words ? 'zh' : 'en'
}

/** A–Z and a–z: the two differ in one bit. */
function isLatinLetter(code: number): boolean {
  const lower = code | 0x20
  return code < 0x80 && lower >= 0x61 && lower <= 0x7a
}
