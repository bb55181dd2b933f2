import { camelPieces } from './camel-pieces.ts'
import { visitRuns } from './runs.ts'
import { hasTwoCharacters, JOINER_RUN } from './tokenize.ts'

const DIGIT = /\p{Nd}/u
const HAS_CAPITAL = /\p{Uppercase}/u
const HAS_OTHER_CASE = /[\p{Lowercase}\p{Lt}]/u
const ASCII_WORD = /^[0-9A-Za-z]+$/

/**
 * The distinct runs of a text that name something exactly (`e_conn_reset`, `v1/chat`, `10.0.0.1:8080`, `KubePodCrashLooping`,
 * `OOM`), in lower case, in order of first appearance. A run of tokens v1 is one if it is joined, or mixes camelCase pieces,
 * or has two characters or more with a digit among them or capitals only. Every one is also a token of `tokenize`.
 */
export function identifiers(text: string): string[] {
  const normal = text.normalize('NFKC')
  const found = new Set<string>()
  visitRuns(normal, (start, end, isCjk) => {
    if (isCjk) return
    const run = normal.slice(start, end)
    if (isIdentifier(run)) found.add(run.toLowerCase())
  })
  return [...found]
}

function isIdentifier(run: string): boolean {
  if (JOINER_RUN.test(run)) return true
  if (!hasTwoCharacters(run)) return false
  if (DIGIT.test(run)) return true
  if (ASCII_WORD.test(run) && camelPieces(run).length > 1) return true
  return HAS_CAPITAL.test(run) && !HAS_OTHER_CASE.test(run)
}
