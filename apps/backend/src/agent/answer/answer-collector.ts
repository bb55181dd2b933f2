import type { AIMessageChunk } from '@langchain/core/messages'
import type { ChatGenerationChunk } from '@langchain/core/outputs'
import { ModelFailure } from './model-failure.ts'
import { ThoughtFilter } from './thought-filter.ts'

/** Characters of a token at most, on average: what is longer than so many of them is past every limit that was asked for. */
const CHARACTERS_PER_TOKEN = 16
/** Characters of the arguments of one step's calls. */
const ARGUMENTS_LIMIT = 1_000_000
const CALLS_LIMIT = 10_000
/** Characters of a tool's name, for the record; no tool has a longer one. */
const NAME_LIMIT = 128

export interface StreamedCall {
  readonly tool: string
  /** Arguments as they came. */
  readonly text: string
}

interface OpenCall {
  id: string | undefined
  tool: string
  readonly parts: string[]
}

/** Puts together what a model says, piece by piece, and in bounds that its server may not keep. */
export class AnswerCollector {
  readonly #onText: (text: string) => void
  readonly #textLimit: number
  readonly #thoughts = new ThoughtFilter()
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()
  #characters = 0
  #argumentCharacters = 0
  text = ''
  finish: string | null = null

  constructor(outputTokens: number, onText: (text: string) => void) {
    this.#textLimit = outputTokens * CHARACTERS_PER_TOKEN
    this.#onText = onText
  }

  /** Whether anything came that a second try would say again. */
  get spoke(): boolean {
    return this.text !== '' || this.#calls.length > 0
  }

  get calls(): readonly StreamedCall[] {
    return this.#calls.map(({ tool, parts }) => ({ tool, text: parts.join('') }))
  }

  /** Nothing follows. */
  end(): void {
    this.#say(this.#thoughts.end())
  }

  /** @throws ModelFailure length */
  read({ message, generationInfo }: ChatGenerationChunk): void {
    const finish: unknown = generationInfo?.finish_reason
    if (typeof finish === 'string') this.finish = finish
    const { content, tool_call_chunks: pieces = [] } = message as AIMessageChunk
    if (typeof content === 'string' && content !== '') this.#readText(content)
    for (const piece of pieces) this.#readCall(piece)
  }

  #readText(text: string): void {
    this.#characters += text.length
    if (this.#characters > this.#textLimit) throw new ModelFailure('length')
    this.#say(this.#thoughts.push(text))
  }

  #say(text: string): void {
    if (text === '') return
    this.text += text
    this.#onText(text)
  }

  #readCall({ index, id, name, args }: CallPiece): void {
    const call = this.#callOf(index, id)
    if (name !== undefined) call.tool = `${call.tool}${name}`.slice(0, NAME_LIMIT)
    if (args === undefined || args === '') return
    this.#argumentCharacters += args.length
    if (this.#argumentCharacters > ARGUMENTS_LIMIT) throw new ModelFailure('length')
    call.parts.push(args)
  }

  /** Some servers give every call the same index, or none; then an id that is new begins a call. */
  #callOf(index: number | undefined, id: string | undefined): OpenCall {
    const place = index ?? this.#calls.length - (id === undefined || id === '' ? 1 : 0)
    const known = this.#byIndex.get(place)
    if (known !== undefined && (id === undefined || id === '' || known.id === id)) return known
    if (this.#calls.length >= CALLS_LIMIT) throw new ModelFailure('length')
    const call: OpenCall = { id, tool: '', parts: [] }
    this.#calls.push(call)
    this.#byIndex.set(place, call)
    return call
  }
}

interface CallPiece {
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly args?: string | undefined
}
