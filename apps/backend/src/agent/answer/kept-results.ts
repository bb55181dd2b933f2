import { AppError } from '@oncall-agent/api-contracts'
import { estimateTokens } from '../../models/index.ts'

/**
 * Characters of all results that a turn keeps for reading on: more than any model reads in one answer, and of as many
 * turns as a process may write at once still no more memory than it has.
 */
const KEPT_LIMIT = 1_000_000
/** Characters that are kept of a result even when there is no room: what of it was found is worth a look. */
const LEAST_KEPT = 8_192
/** Characters that are counted at once. */
const BLOCK = 256
/** Tokens that the estimate adds to each text. */
const FRAME_TOKENS = 2

interface Kept {
  readonly text: string
  /** Characters of the whole result, of which `text` may be the beginning. */
  readonly total: number
}

/** A page of a result, as the model sees it. */
export interface ShownPage {
  readonly result: string
  readonly offset: number
}

/** The results of a turn, whole as far as there is room, so that what does not fit the model can be read on. */
export class KeptResults {
  readonly #results = new Map<string, Kept>()
  #room: number

  readonly #least: number

  constructor(room = KEPT_LIMIT, least = LEAST_KEPT) {
    this.#room = room
    this.#least = least
  }

  keep(result: string, text: string): void {
    const length = Math.min(text.length, Math.max(this.#room, this.#least))
    this.#room = Math.max(0, this.#room - length)
    // Through a buffer, or the piece would hold on to the whole.
    const kept = length === text.length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le')
    this.#results.set(result, { text: kept, total: text.length })
  }

  /**
   * The result from an offset on, in at most so many tokens; where something is left, it says how much and how to go on.
   * @throws AppError NOT_FOUND, VALIDATION_FAILED
   */
  page({ result, offset }: ShownPage, tokens: number): string {
    const kept = this.#results.get(result)
    if (kept === undefined) throw refused('NOT_FOUND', result, 'There is no result of this name in this turn.')
    const { text, total } = kept
    if (offset > text.length) throw refused('VALIDATION_FAILED', 'offset', `offset: the result ends at ${text.length}`)
    const end = offset + lengthWithin(text.slice(offset, offset + tokens * LONGEST_TOKEN), tokens)
    const shown = text.slice(offset, end)
    if (end < text.length) return `${shown}\n${moreNote(result, end, total - end)}`
    return total === text.length ? shown : `${shown}\n[${total - end} more characters were too many to keep.]`
  }
}

/** Characters of a token at most: what lies behind so many of them can not be on the page. */
const LONGEST_TOKEN = 16

function moreNote(result: string, end: number, left: number): string {
  return `[… ${left} characters left; call read_more with ${JSON.stringify({ result, offset: end })}]`
}

/** UTF-16 units of the longest beginning that has at most so many tokens; never half a character, never nothing. */
export function lengthWithin(text: string, tokens: number): number {
  let used = 0
  let end = 0
  while (end < text.length) {
    const block = text.slice(end, end + BLOCK)
    const cost = estimateTokens(block) - FRAME_TOKENS
    if (used + cost > tokens) break
    used += cost
    end += block.length
  }
  if (end < text.length) end += partOfBlock(text.slice(end, end + BLOCK), tokens - used)
  const whole = isHalved(text, end) ? end - 1 : end
  return Math.max(whole, Math.min(text.length, 2))
}

function partOfBlock(block: string, tokens: number): number {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateTokens(block.slice(0, middle)) - FRAME_TOKENS <= tokens) low = middle
    else high = middle - 1
  }
  return low
}

function isHalved(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  return end > 0 && end < text.length && code >= 0xdc_00 && code <= 0xdf_ff
}

function refused(code: 'NOT_FOUND' | 'VALIDATION_FAILED', subject: string, message: string): AppError {
  return new AppError(code, { operation: 'read on', subject, message })
}
