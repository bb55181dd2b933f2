import { searchedText } from '../evidence/index.ts'
import type { ChunkOptions } from './chunk-options.ts'

/**
 * UTF-16 units that no chunk exceeds, whatever its tokens: at most three bytes each, it stays below the 65,535 bytes that
 * the narrowest engine stores, and a megabyte of blanks is never handed to a tokenizer.
 */
export const MAX_CHUNK_CHARACTERS = 16_384

/**
 * Weighs text for the chunks of one heading path. A load of 1 fills a chunk: the most of what is asked (`size`),
 * what the embedder takes besides title and headings (`bound`), and `MAX_CHUNK_CHARACTERS`.
 */
export class Gauge {
  readonly headingPath: readonly string[]
  readonly #options: ChunkOptions
  readonly #sizeOfNothing: number
  readonly #sizeRoom: number
  readonly #tokensOfNothing: number
  readonly #tokensOfPrefix: number
  readonly #tokenRoom: number

  constructor(options: ChunkOptions, headingPath: readonly string[]) {
    this.headingPath = headingPath
    this.#options = options
    // A counter may add marks to each text; they count once a chunk, not once a sentence.
    this.#sizeOfNothing = options.measure('')
    this.#sizeRoom = Math.max(1, options.size - this.#sizeOfNothing)
    this.#tokensOfNothing = options.bound.countTokens('')
    this.#tokensOfPrefix = options.bound.countTokens(this.#searched(''))
    this.#tokenRoom = Math.max(1, options.bound.max - this.#tokensOfPrefix)
  }

  /** Load by the text alone, so that loads of neighbours can be added up; off by a token or so where they are joined. */
  load(content: string): number {
    if (content.length > MAX_CHUNK_CHARACTERS) return Number.POSITIVE_INFINITY
    const { measure, bound } = this.#options
    const size = measure(content) - this.#sizeOfNothing
    const tokens = bound.countTokens === measure ? size : bound.countTokens(content) - this.#tokensOfNothing
    return this.#most(size, tokens, content.length)
  }

  /** Load of a finished chunk, by its whole searched text. It may be published at 1 or less. */
  exactLoad(content: string): number {
    if (content.length > MAX_CHUNK_CHARACTERS) return Number.POSITIVE_INFINITY
    const size = this.#options.measure(content) - this.#sizeOfNothing
    const tokens = this.#options.bound.countTokens(this.#searched(content)) - this.#tokensOfPrefix
    return this.#most(size, tokens, content.length)
  }

  /** Whether a text that cannot be cut well may be published all the same: the size is a wish, the bound is not. */
  withinBound(content: string): boolean {
    if (content.length > MAX_CHUNK_CHARACTERS) return false
    return this.#options.bound.countTokens(this.#searched(content)) <= this.#options.bound.max
  }

  #searched(content: string): string {
    return searchedText({ title: this.#options.title, headingPath: this.headingPath, content })
  }

  #most(size: number, tokens: number, characters: number): number {
    return Math.max(size / this.#sizeRoom, tokens / this.#tokenRoom, characters / MAX_CHUNK_CHARACTERS)
  }
}
