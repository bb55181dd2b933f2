import { CodeSpan, Fence, opensFence } from './markdown-code.ts'
import { closesMarker, endsWord, mayContinue, numbersOf, opensMarker } from './marker-syntax.ts'

/** Punctuation before which no blank is left where a marker was taken out. */
const closing = /[\s.,;:!?)，。；：！？、）]/
/** Behind one of these a marker that is taken out leaves a blank: what stood around it must not become something new. */
const joining: ReadonlySet<string> = new Set(['[', '【', '［', '`', '~'])
/** How much of a line's beginning can matter for what the line is. */
const LINE_START = 100
const lineStartOnly = /^[ \t>]*(?:[-*+]|\d{1,9}[.)]?)?[ \t]*~*$/

/**
 * Checks the markers of an answer while it is written. It gives out text as soon as it can not be part of a marker, and
 * the result does not depend on how the text was cut: references become `[n]`, those to no source are removed and
 * counted; code, links and escaped brackets stay as they are. One pass, character by character.
 */
export class MarkerFilter {
  readonly #isSource: (marker: number) => boolean
  readonly cited = new Set<number>()
  removed = 0

  #out = ''
  /** The beginning of the line while it is blanks, quote marks and a list's mark alone; null behind it. */
  #lineStart: string | null = ''
  #previous = ''
  #escaped = false
  /** A blank that goes if the marker behind it goes. */
  #blank: '' | 'kept' | 'loose' = ''
  /** An opening bracket that is text, and whether a word stands before it. */
  #openBracket: 'none' | 'free' | 'glued' = 'none'
  #held = ''
  #heldAtLineStart = false
  /** Whether a word stands right before it. */
  #heldGlued = false
  #whole = false
  /** Backticks that were just read: how many, and whether they begin a line. */
  #ticks = 0
  #ticksAtLineStart = false
  #code: CodeSpan | undefined
  #fence: Fence | undefined

  constructor(isSource: (marker: number) => boolean) {
    this.#isSource = isSource
  }

  /** The text that is settled by this piece; may be empty. */
  push(piece: string): string {
    for (let at = 0; at < piece.length; at += 1) this.#read(piece.charAt(at))
    return this.#taken()
  }

  /** What was held back, once nothing follows. */
  end(): string {
    if (this.#ticks > 0) this.#openCode()
    while (this.#code !== undefined) {
      this.#leaveCode(this.#code, '')
      if (this.#ticks > 0) this.#openCode()
    }
    this.#settleHeld('')
    if (this.#blank === 'kept') this.#flushBlank()
    return this.#taken()
  }

  #taken(): string {
    const out = this.#out
    this.#out = ''
    return out
  }

  #read(char: string): void {
    if (this.#fence !== undefined) return this.#readFence(this.#fence, char)
    if (this.#ticks > 0) {
      if (char === '`') return this.#readTick()
      this.#openCode()
    }
    if (this.#code !== undefined) return this.#readCode(this.#code, char)
    if (this.#held !== '' && this.#readHeld(char)) return
    this.#readText(char)
  }

  #readText(char: string): void {
    if (this.#escaped) {
      this.#escaped = false
      return this.#emit(char)
    }
    if (char === '`') return this.#readTick()
    if (opensMarker(char)) return this.#readOpener(char)
    if (char === ' ' && this.#lineStart === null) return this.#readBlank()
    if (char === '\\') this.#escaped = true
    const opened = char === '~' && this.#lineStart !== null ? opensFence(this.#lineStart, char) : undefined
    this.#emit(char)
    if (opened !== undefined) this.#fence = opened
  }

  #readTick(): void {
    this.#flushBlank()
    if (this.#ticks === 0) this.#ticksAtLineStart = this.#lineStart !== null
    this.#ticks += 1
    this.#emit('`')
  }

  #readOpener(char: string): void {
    this.#held = char
    this.#heldGlued = char === '[' && this.#blank === '' && endsWord(this.#previous)
    this.#heldAtLineStart = this.#lineStart !== null && this.#lineStart.trim() === ''
  }

  #readBlank(): void {
    if (this.#blank === 'loose') return
    this.#flushBlank()
    this.#blank = 'kept'
  }

  /** True when the character was taken; otherwise it is still to be read as text. */
  #readHeld(char: string): boolean {
    if (this.#whole) {
      this.#settleHeld(char)
      return false
    }
    if (closesMarker(char) && numbersOf(this.#held + char) !== undefined) {
      this.#held += char
      this.#whole = true
      return true
    }
    if (mayContinue(this.#held, char)) {
      this.#held += char
      return true
    }
    this.#settleHeld(char)
    return false
  }

  /** What is held is a marker, or text; the next character decides between a marker, a link and a definition. */
  #settleHeld(next: string): void {
    const held = this.#held
    const numbers =
      this.#whole && next !== '(' && !(next === ':' && this.#heldAtLineStart) ? numbersOf(held) : undefined
    this.#held = ''
    this.#whole = false
    if (held === '') return
    // Right behind a word it is a reference if there are such sources, and else an index, which is nobody's to remove.
    const isIndex = this.#heldGlued && numbers?.some((number) => !this.#isSource(number))
    if (numbers !== undefined && !isIndex) return this.#resolve(numbers)
    this.#flushBlank()
    this.#emit(held.charAt(0))
    this.#openBracket = this.#heldGlued ? 'glued' : 'free'
    for (const char of held.slice(1)) this.#emit(char)
  }

  #resolve(numbers: readonly number[]): void {
    const known = numbers.filter((number) => this.#isSource(number))
    this.removed += numbers.length - known.length
    if (known.length > 0) {
      this.#flushBlank()
      for (const number of known) this.cited.add(number)
      for (const char of known.map((number) => `[${number}]`).join('')) this.#emit(char)
      return
    }
    if (this.#blank !== '') this.#blank = 'loose'
    else if (this.#openBracket !== 'none' || joining.has(this.#previous)) this.#emit(' ')
  }

  #openCode(): void {
    this.#code = new CodeSpan(this.#ticks, this.#ticksAtLineStart && this.#ticks >= 3)
    this.#ticks = 0
    this.#lineStart = null
  }

  #readCode(code: CodeSpan, char: string): void {
    const became = code.read(char)
    if (became === 'open') this.#out += code.settled()
    else this.#leaveCode(code, char)
  }

  /** The span is over before `next`: it was code, the first line of a fence, or backticks that never closed. */
  #leaveCode(code: CodeSpan, next: string): void {
    const { kind, text, previous } = code.close(next)
    this.#code = undefined
    this.#previous = previous
    if (kind === 'text') for (const char of text) this.#read(char)
    else this.#out += text
    if (kind === 'fence') this.#fence = new Fence('`', code.ticks)
    if (next !== '') this.#read(next)
  }

  #readFence(fence: Fence, char: string): void {
    this.#out += char
    if (!fence.closesWith(char)) return
    this.#fence = undefined
    this.#lineStart = ''
    this.#previous = '\n'
  }

  #flushBlank(): void {
    if (this.#blank === '') return
    this.#blank = ''
    this.#previous = ' '
    this.#out += ' '
  }

  #emit(char: string): void {
    if (this.#blank === 'loose' && closing.test(char)) this.#blank = ''
    this.#flushBlank()
    this.#out += char
    this.#follow(char)
  }

  /** Keeps what the next characters are judged by. */
  #follow(char: string): void {
    this.#previous = char
    if (char === '\n') {
      this.#lineStart = ''
      this.#openBracket = 'none'
    } else if (this.#lineStart !== null) {
      const start = this.#lineStart + char
      this.#lineStart = start.length <= LINE_START && lineStartOnly.test(start) ? start : null
    }
    if (!closesMarker(char)) return
    // `a[1][2]` is an index of an index: what closes a bracket of a word is part of the word.
    if (this.#openBracket === 'glued') this.#previous = 'a'
    this.#openBracket = 'none'
  }
}
