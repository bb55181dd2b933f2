import { opensMarker } from './marker-syntax.ts'

/** Characters of a line that are kept back for backticks that may yet close; beyond it they are taken as text. */
const LONGEST_HELD = 2_000
/** Backticks or tildes that make a fence. */
const FENCE = 3

interface ClosedSpan {
  readonly kind: 'code' | 'fence' | 'text'
  /** What was kept back; as it is for code, still to be read for text. */
  readonly text: string
  /** The character before it. */
  readonly previous: string
}

/**
 * Backticks that were opened and not closed yet. Until they are, what follows is code or text; only from the first
 * bracket or backtick on does that make a difference, so that nothing is held back before. Code ends with its line.
 */
export class CodeSpan {
  readonly ticks: number
  readonly #mayBeFence: boolean
  #settled = ''
  #held = ''
  /** The last character of what is settled. */
  #last = '`'
  #inner = 0
  #sawTick = false

  constructor(ticks: number, mayBeFence: boolean) {
    this.ticks = ticks
    this.#mayBeFence = mayBeFence
  }

  /** `ended`: the character does not belong to it any more. */
  read(char: string): 'open' | 'ended' {
    if (char === '\n' || this.#held.length >= LONGEST_HELD) return 'ended'
    if (char === '`') {
      this.#sawTick = true
      this.#inner += 1
      this.#held += char
      return 'open'
    }
    if (this.#inner === this.ticks) return 'ended'
    this.#inner = 0
    // A blank goes with a marker behind it, so it waits for one character.
    if (this.#held === ' ' && !opensMarker(char) && char !== '\\') this.#settle()
    if (this.#held !== '' || char === ' ' || char === '\\' || opensMarker(char)) this.#held += char
    else this.#settle(char)
    return 'open'
  }

  /** Text that is the same whatever the span becomes. */
  settled(): string {
    const settled = this.#settled
    this.#settled = ''
    return settled
  }

  close(next: string): ClosedSpan {
    const text = this.#held
    const previous = this.#last
    if (this.#inner === this.ticks) return { kind: 'code', text, previous: '`' }
    if (this.#mayBeFence && !this.#sawTick && (next === '\n' || next === '')) return { kind: 'fence', text, previous }
    return { kind: 'text', text, previous }
  }

  #settle(char = ''): void {
    const text = this.#held + char
    this.#held = ''
    this.#settled += text
    this.#last = text.at(-1) ?? this.#last
  }
}

/** Code between two fences; it ends with a line of nothing but at least as many of its own marks. */
export class Fence {
  readonly #mark: '`' | '~'
  #count: number
  /** Whether the marks that open it may still go on. */
  #opening = true
  /** The current line while it could be the end; its first line, behind the opening marks, can not. */
  #line: string | null = null

  constructor(mark: '`' | '~', count: number) {
    this.#mark = mark
    this.#count = count
  }

  /** Whether this character ends it. */
  closesWith(char: string): boolean {
    this.#opening &&= char === this.#mark
    if (this.#opening) this.#count += 1
    if (char === '\n') {
      const ended = this.#line !== null && this.#ends(this.#line)
      this.#line = ''
      return ended
    }
    if (this.#line === null) return false
    this.#line = /[ \t\r>`~]/.test(char) && this.#line.length < LONGEST_HELD ? this.#line + char : null
    return false
  }

  #ends(line: string): boolean {
    const marks = line.replace(/^[ \t>]+/, '').trimEnd()
    return marks.length >= this.#count && marks === this.#mark.repeat(marks.length)
  }
}

/** A fence, when this tilde is the last that one needs at the beginning of a line. */
export function opensFence(lineStart: string, char: '~'): Fence | undefined {
  return lineStart.endsWith(char.repeat(FENCE - 1)) ? new Fence(char, FENCE) : undefined
}
