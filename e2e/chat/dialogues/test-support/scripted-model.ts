import {
  type ChatMessage,
  type Conduct,
  type Exchange,
  says,
  stallsAfter
} from '@oncall-agent/backend/chat-model-server'

/** A piece of evidence as the model is given it: its marker, and what stands between its fences. */
const PIECE = /\[(\d+)\]\n<(evidence-[0-9a-f]+)>\n([^]*?)\n<\/\2>/g

/** What tools have told the model since the last question. */
export function toldByTools({ body: { messages } }: Pick<Exchange, 'body'>): string {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(asked + 1)
    .filter(({ role }) => role === 'tool')
    .map(textOf)
    .join('\n')
}

/** The marker that the model was given with a phrase of a document. @throws when no evidence has it */
export function markerOf(exchange: Pick<Exchange, 'body'>, phrase: string): number {
  const told = toldByTools(exchange)
  for (const [, marker, , content] of told.matchAll(PIECE)) if (content!.includes(phrase)) return Number(marker)
  throw new Error(`no evidence says ${JSON.stringify(phrase)}: ${told}`)
}

/** Answers by what the tools have told it, in pieces as small as a slow model's. */
export function reads(answer: (exchange: Exchange) => string): Conduct {
  return (exchange) => says(...(answer(exchange).match(/[^]{1,12}/gu) ?? []))(exchange)
}

/** A model that says the next words when the test lets it: nothing hangs on how quick a machine is. */
export interface HeldAnswer {
  readonly conduct: Conduct
  /** Settles when the model was asked. */
  readonly asked: Promise<Exchange>
  say(text: string): Promise<void>
  /** The last words. */
  end(text: string): Promise<void>
}

export function heldAnswer(): HeldAnswer {
  const { promise: asked, resolve } = Promise.withResolvers<Exchange>()
  return {
    conduct: resolve,
    asked,
    say: async (text) => stallsAfter(text)(await asked),
    end: async (text) => says(text)(await asked)
  }
}

function textOf({ content }: ChatMessage): string {
  if (content === undefined || content === null) return ''
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}
