import type { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages'
import { estimateTokens } from '../../models/index.ts'

/** Tokens that a protocol adds to a message: its role and its marks. */
const MESSAGE_TOKENS = 6
/** Tokens that remain of a shortened result, besides the note how to read on. */
const LEAST_RESULT = 128
/** The question keeps this share of the room at least. */
const QUESTION_SHARE = 0.5

export interface Shortening {
  /** A tool's message with so many tokens of its result; undefined for one that can not be shortened. */
  readonly result: (message: ToolMessage, tokens: number) => ToolMessage | undefined
  /** The question with so many tokens of its text. */
  readonly question: (tokens: number) => BaseMessage
}

export interface FittingContext {
  readonly messages: BaseMessage[]
  /** Messages of earlier turns that are left out. */
  readonly leftOut: number
}

const known = new WeakMap<BaseMessage, number>()

/**
 * What of a conversation fits into so many tokens: first the oldest earlier messages go, then results of tools are
 * shortened, oldest first, then the question. Undefined when that is not enough. Nothing goes without a note.
 * @param history how many of the messages are of earlier turns; the question stands behind them
 */
export function fitContext(
  messages: readonly BaseMessage[],
  { history, tokens, shorten }: { readonly history: number; readonly tokens: number; readonly shorten: Shortening }
): FittingContext | undefined {
  const fitting = [...messages]
  let total = fitting.reduce((sum, message) => sum + tokensOf(message), 0)
  let leftOut = 0
  while (total > tokens && leftOut < history) {
    total -= tokensOf(fitting.shift()!)
    leftOut += 1
    // An answer without its question means nothing.
    if (leftOut < history && fitting[0]?.getType() === 'ai') {
      total -= tokensOf(fitting.shift()!)
      leftOut += 1
    }
  }
  const question = history - leftOut
  const replace = (at: number, message: BaseMessage | undefined): void => {
    if (message === undefined) return
    total += tokensOf(message) - tokensOf(fitting[at]!)
    fitting[at] = message
  }
  for (const [at, message] of fitting.entries()) {
    if (total <= tokens) break
    if (message.getType() === 'tool') replace(at, shorten.result(message as ToolMessage, LEAST_RESULT))
  }
  if (total > tokens) replace(question, shorten.question(Math.floor(tokens * QUESTION_SHARE)))
  return total > tokens ? undefined : { messages: fitting, leftOut }
}

/** An estimate that is rather too high, for the model's tokenizer is not known. */
export function tokensOf(message: BaseMessage): number {
  const counted = known.get(message)
  if (counted !== undefined) return counted
  const calls = message.getType() === 'ai' ? (message as AIMessage).tool_calls : undefined
  const text = calls === undefined || calls.length === 0 ? message.text : `${message.text}${JSON.stringify(calls)}`
  const tokens = estimateTokens(text) + MESSAGE_TOKENS
  known.set(message, tokens)
  return tokens
}
