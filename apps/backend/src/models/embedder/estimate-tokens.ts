/**
 * Tokens of a text for a model whose tokenizer is unknown. It rather counts too many: a chunk that was cut by it is not
 * refused, or cut once more, by the server. The figures are of the tokenizers of OpenAI (cl100k, o200k), XLM-R (E5, BGE-M3),
 * BERT (BGE) and Qwen; a text that a server still finds too long is sent again shorter.
 */
export function estimateTokens(text: string): number {
  let tokens = SPECIAL_TOKENS
  for (const { 0: run } of text.matchAll(runs)) tokens += tokensOf(run)
  return Math.ceil(tokens)
}

/** The estimate as a module's export that makes a counter; the process that cuts documents loads it by name. */
export function createTokenEstimate(): (text: string) => number {
  return estimateTokens
}

/** Begin and end marks that BERT and XLM-R add. */
const SPECIAL_TOKENS = 2
/** Characters of a token inside a word: English has 4 to 5, random letters and identifiers 2 to 3. */
const LETTERS_PER_TOKEN = 3
/** Blanks of an indentation or a table that make a token; some tokenizers take 16 and more, others none. */
const BLANKS_PER_TOKEN = 8
/** Ideographs, kana and syllables: 0.7 (XLM-R, Qwen) to 1.2 (cl100k, whose models have much room) were measured. */
const TOKENS_PER_CJK = 1
/** Letters with marks, Greek and Cyrillic. */
const TOKENS_PER_EUROPEAN = 0.6
/** Whatever else there is, by code point: emoji, other scripts, box drawing. */
const TOKENS_PER_OTHER = 2

/** Runs that tokenizers hardly join: words of Latin letters up to a change of case, blanks, everything else one by one. */
const runs = /[A-Z]*[a-z]+|[A-Z]+|[ \t\r\n]+|[^A-Za-z \t\r\n]/gu
const cjk = /^[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/
const european = /^[\u00A0-\u04FF\u2010-\u2027]/

function tokensOf(run: string): number {
  const first = run.charCodeAt(0)
  // One blank before a word is part of the word's token.
  if (first <= 0x20 && /^[ \t\r\n]/.test(run)) return run === ' ' ? 0 : Math.ceil(run.length / BLANKS_PER_TOKEN)
  if (/^[A-Za-z]/.test(run)) return Math.ceil(run.length / LETTERS_PER_TOKEN)
  // A digit or a mark each: Qwen and Llama take digits one by one, BERT marks.
  if (first < 0x80) return 1
  if (cjk.test(run)) return TOKENS_PER_CJK
  return european.test(run) ? TOKENS_PER_EUROPEAN : TOKENS_PER_OTHER
}
