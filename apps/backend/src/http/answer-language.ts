import type { AnswerLanguage } from '@oncall-agent/retrieval'

/** What fixed texts of answers exist in, and of two that are liked equally the one to take. */
const LANGUAGES: readonly AnswerLanguage[] = ['zh', 'en']
/** A header of a browser has some dozens of characters; behind this nothing is read. */
const HEADER_LIMIT = 1_000

/** One range of the header, RFC 9110, 12.5.4: "en-GB;q=0.7". */
interface LanguageRange {
  readonly range: string
  readonly quality: number
}

/** The language of an answer's fixed texts: what `Accept-Language` likes best; Chinese where it likes neither or is absent. */
export function answerLanguage(header: string | undefined): AnswerLanguage {
  const ranges = rangesOf(header ?? '')
  const liked = LANGUAGES.map((language) => ({ language, ...likingOf(language, ranges) }))
  const best = liked.toSorted((left, right) => right.quality - left.quality || left.place - right.place)[0]!
  return best.quality > 0 ? best.language : LANGUAGES[0]!
}

function rangesOf(header: string): readonly LanguageRange[] {
  const parts = header.slice(0, HEADER_LIMIT).toLowerCase().split(',')
  return parts.map((part) => {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice('q='.length)
    // What is no weight is no wish either.
    return {
      range,
      quality: weight === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
    }
  })
}

/** How much a language is liked, and where the header says so: of equals the first one named is meant. */
function likingOf(language: AnswerLanguage, ranges: readonly LanguageRange[]) {
  const named = ranges.filter(({ range }) => range === language || range.startsWith(`${language}-`))
  const saying = named.length > 0 ? named : ranges.filter(({ range }) => range === '*')
  const quality = Math.max(0, ...saying.map((each) => each.quality))
  const place = ranges.findIndex((each) => saying.includes(each) && each.quality === quality)
  return { quality, place }
}
