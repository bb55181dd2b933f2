/**
 * Counts roughly as a sentence-piece tokenizer does: two marks a text, about 0.7 a Chinese character, one for each four
 * Latin letters, one for each other sign. As with a real one, the count of a whole is not quite the sum of its parts.
 */
export function countTokens(text: string): number {
  let tokens = 2
  for (const [run] of text.matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)) {
    tokens += /^\p{Script=Han}/u.test(run) ? Math.ceil(run.length * 0.7) : Math.ceil(run.length / 4)
  }
  return tokens
}
