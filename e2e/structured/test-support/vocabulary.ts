import type { StructuredEntry } from '@oncall-agent/retrieval'
import type { Random } from '@oncall-agent/retrieval/conformance'

/** An identifier, a run of Chinese, or a run of other letters, without the punctuation around it. */
const WORDS = /[A-Za-z0-9][\w.:/-]*|\p{Script=Han}+|[^\P{L}\p{Script=Han}\w]+/gu
/** Characters of a Chinese word that somebody would type. */
const CHINESE_WORD = 4
/** Words that are in so many documents and more are the common ones. */
const COMMON_SHARE = 0.06

/** What can be asked about a collection, read off its documents. */
export interface Vocabulary {
  /** The most frequent first; never empty. */
  readonly common: readonly string[]
  /** Words of one document, as they stand there; perhaps none. */
  wordsOf(entry: StructuredEntry): readonly string[]
  /** Words of one character; several are Chinese ones. */
  readonly characters: readonly string[]
  /** A word of some document. */
  anyWord(random: Random): string
  readonly projects: readonly string[]
  readonly equipment: readonly string[]
  readonly errorCodes: readonly string[]
}

export function vocabularyOf(entries: readonly StructuredEntry[]): Vocabulary {
  const words = new Map(entries.map((entry) => [entry, wordsIn(`${entry.title} ${entry.body}`)]))
  const documents = new Map<string, number>()
  for (const list of words.values()) {
    for (const word of list) documents.set(word, (documents.get(word) ?? 0) + 1)
  }
  const byFrequency = [...documents].toSorted(([, left], [, right]) => right - left)
  const common = byFrequency.filter(([, count]) => count > COMMON_SHARE * entries.length).map(([word]) => word)
  const all = byFrequency.map(([word]) => word)
  return {
    common: common.length === 0 ? all.slice(0, 1) : common,
    wordsOf: (entry) => words.get(entry) ?? [],
    characters: [...all.filter((word) => [...word].length === 1), '盘'],
    anyWord: (random) => random.pick(all),
    projects: distinct(entries.flatMap(({ project }) => project ?? [])),
    equipment: distinct(entries.flatMap(({ equipment }) => equipment ?? [])),
    errorCodes: distinct(entries.flatMap(({ errorCodes }) => errorCodes))
  }
}

/** Distinct words; a long run of Chinese is cut into words of a few characters, and its first character is one too. */
function wordsIn(text: string): string[] {
  const words = new Set<string>()
  for (const [run] of text.matchAll(WORDS)) {
    if (!/^\p{Script=Han}/u.test(run)) {
      words.add(run)
      continue
    }
    const characters = [...run]
    words.add(characters[0]!)
    for (let start = 0; start < characters.length; start += CHINESE_WORD) {
      words.add(characters.slice(start, start + CHINESE_WORD).join(''))
    }
  }
  return [...words]
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)]
}
