/** A quoted phrase, in the quotes of either keyboard; an end that is missing is the end of the text. */
const QUOTED = String.raw`"((?:\\.|[^"\\])*)"?|“([^”]*)”?`
/** Between words: white space, and the marks of a Chinese list. */
const LOOSE = new RegExp(String.raw`${QUOTED}|([^\s，、；"“][^\s，、；]*)`, 'gsu')
/** Codes have no commas of their own. */
const TIGHT = new RegExp(String.raw`${QUOTED}|([^\s，、；,;"“][^\s，、；,;]*)`, 'gsu')
const ENDS = /[,;]+$/u

export interface WordRule {
  /** Whether "E1,E2" is two; a keyword such as "1,024" is one. */
  readonly atCommas: boolean
}

/** The words of a line as people type them: apart by spaces, phrases in quotes; each once, in order. */
export function splitWords(text: string, { atCommas }: WordRule): readonly string[] {
  const words = [...text.matchAll(atCommas ? TIGHT : LOOSE)].map(
    ([, quoted, curly, plain]) => quoted?.replaceAll(/\\(.)/gsu, '$1') ?? curly ?? plain?.replace(ENDS, '') ?? ''
  )
  return [...new Set(words)].filter((word) => word.trim() !== '')
}

/** The line that is read as these words again. */
export function joinWords(words: readonly string[], rule: WordRule): string {
  return words.map((word) => (isPlain(word, rule) ? word : quote(word))).join(' ')
}

function isPlain(word: string, rule: WordRule): boolean {
  const [only, ...more] = splitWords(word, rule)
  return only === word && more.length === 0
}

const quote = (word: string): string => `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`
