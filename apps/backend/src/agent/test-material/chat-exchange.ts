import type { IncomingMessage, ServerResponse } from 'node:http'

/** A message as it arrives: text whole or in parts. */
export interface ChatMessage {
  readonly role: string
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null
  readonly name?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

export interface ChatRequest {
  readonly headers: IncomingMessage['headers']
  readonly body: {
    readonly messages: readonly ChatMessage[]
    readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
    readonly [key: string]: unknown
  }
  /** Milliseconds of the process's clock. */
  readonly at: number
  /** Settles when the caller hangs up before it has its answer. */
  readonly hungUp: Promise<void>
}

/** One request, and the means to answer it in any way, or not at all. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: ChatRequest['body']
  /** Whether the answer is asked for as events. */
  readonly streamed: boolean
}

export type Conduct = (exchange: Exchange) => void | Promise<void>

/** A call of a tool: arguments as a value, or as text that may be no JSON. */
export interface CallOf {
  readonly name: string
  readonly arguments: unknown
  readonly id?: string
}

/** One piece of an answer, as the protocol has it. */
export type Delta = Readonly<Record<string, unknown>>

/** The text of a message, whichever way it came. */
export function textOf({ content }: ChatMessage): string {
  if (content === undefined || content === null) return ''
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}

export async function sendDeltas({ response }: Exchange, deltas: Iterable<Delta>): Promise<void> {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for (const delta of deltas) {
    if (response.destroyed) return
    const line = `data: ${JSON.stringify(chunk({ delta, finish_reason: null }))}\n\n`
    if (!response.write(line)) await drained(response)
  }
}

export function finishStream({ response }: Exchange, reason: string): void {
  response.end(`data: ${JSON.stringify(chunk({ delta: {}, finish_reason: reason }))}\n\ndata: [DONE]\n\n`)
}

/** The same pieces as one JSON answer. */
export function sendWhole({ response }: Exchange, deltas: Iterable<Delta>, reason: string): void {
  const message: Record<string, unknown> = { content: null }
  const calls = new Map<number, CallPiece>()
  for (const { tool_calls: pieces = [], ...texts } of deltas) {
    for (const [key, text] of Object.entries(texts))
      message[key] = `${(message[key] as string | null) ?? ''}${String(text)}`
    for (const { index, ...piece } of pieces as readonly (CallPiece & { readonly index: number })[]) {
      const known = calls.get(index)
      const text = `${known?.function.arguments ?? ''}${piece.function.arguments}`
      calls.set(index, { ...known, ...piece, function: { ...known?.function, ...piece.function, arguments: text } })
    }
  }
  const whole = calls.size === 0 ? message : { ...message, tool_calls: [...calls.values()] }
  response.writeHead(200, { 'content-type': 'application/json' })
  const completion = chunk({ message: { ...whole, role: 'assistant' }, finish_reason: reason })
  response.end(JSON.stringify({ ...completion, object: 'chat.completion' }))
}

interface CallPiece {
  readonly function: { readonly name?: string; readonly arguments: string }
}

function chunk(choice: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, ...choice }]
  }
}

/** Until the caller has read, or hung up. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}
