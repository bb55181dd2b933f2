import { type CallOf, type Conduct, type Delta, finishStream, sendDeltas, sendWhole } from './chat-exchange.ts'

/** Answers with these pieces, one event each. */
export function says(...tokens: string[]): Conduct {
  return replies(textDeltas(tokens), 'stop')
}

/** Calls tools, all at once; `text` is said before. */
export function calls(list: readonly CallOf[], text = ''): Conduct {
  return replies([...textDeltas(text === '' ? [] : [text]), ...callDeltas(list)], 'tool_calls')
}

/** Thinks aloud in the field that some servers have for it, then answers. */
export function thinks(thought: string, ...tokens: string[]): Conduct {
  return replies([{ role: 'assistant', reasoning_content: thought }, ...textDeltas(tokens)], 'stop')
}

/** Declines in the field that the protocol has for it. */
export function refuses(text: string): Conduct {
  return replies([{ role: 'assistant', refusal: text }], 'stop')
}

/** Stops in the middle, as at the limit of its tokens. */
export function cutsOff(...tokens: string[]): Conduct {
  return replies(textDeltas(tokens), 'length')
}

/** Ends without a word. */
export const saysNothing: Conduct = (exchange) => replies([{ role: 'assistant', content: '' }], 'stop')(exchange)

/** Accepts the request and says nothing, ever. */
export const stalls: Conduct = () => {}

/** Says something, and then nothing more, ever. */
export function stallsAfter(...tokens: string[]): Conduct {
  return (exchange) => sendDeltas(exchange, textDeltas(tokens))
}

/** Breaks the connection after these pieces. */
export function diesAfter(...tokens: string[]): Conduct {
  return async (exchange) => {
    await sendDeltas(exchange, textDeltas(tokens))
    // What was written must be on its way first.
    setTimeout(() => exchange.response.destroy(), DYING_MS)
  }
}

/** Ends the stream politely, without having come to an end. */
export function trailsOff(...tokens: string[]): Conduct {
  return async (exchange) => {
    await sendDeltas(exchange, textDeltas(tokens))
    exchange.response.end()
  }
}

/** Reports an error as an event in the middle of the stream. */
export function errsAfter(...tokens: string[]): Conduct {
  return async (exchange) => {
    await sendDeltas(exchange, textDeltas(tokens))
    exchange.response.end('data: {"error":{"message":"engine crashed at http://10.0.0.1/secret","code":500}}\n\n')
  }
}

/** Answers with a status; `retryAfter` in seconds, as the header has it. */
export function answersStatus(status: number, retryAfter?: string): Conduct {
  return ({ response }) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message: `status ${status} of http://10.0.0.1/secret`, code: 'scripted' } }))
  }
}

/** Closes the connection without an answer. */
export const hangsUp: Conduct = ({ response }) => void response.destroy()

/** Repeats a piece until the caller hangs up, or `times` times. */
export function saysForever(token: string, times = Infinity): Conduct {
  return async (exchange) => {
    await sendDeltas(exchange, endless(token, times, exchange.response))
    finishStream(exchange, 'stop')
  }
}

/** Says a piece every `everyMs` milliseconds. */
export function saysSlowly(everyMs: number, ...tokens: string[]): Conduct {
  return async (exchange) => {
    for (const delta of textDeltas(tokens)) {
      await sendDeltas(exchange, [delta])
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
    finishStream(exchange, 'stop')
  }
}

/** Answers by what the request says. */
export function decides(choose: (exchange: Parameters<Conduct>[0]) => Conduct): Conduct {
  return (exchange) => choose(exchange)(exchange)
}

const DYING_MS = 20

function replies(deltas: readonly Delta[], reason: string): Conduct {
  return async (exchange) => {
    if (!exchange.streamed) return sendWhole(exchange, deltas, reason)
    await sendDeltas(exchange, deltas)
    finishStream(exchange, reason)
  }
}

function textDeltas(tokens: readonly string[]): Delta[] {
  return tokens.map((content, index) => (index === 0 ? { role: 'assistant', content } : { content }))
}

function callDeltas(list: readonly CallOf[]): Delta[] {
  const whole = list.map(({ name, arguments: input, id }, index) => ({
    index,
    id: id ?? `id-${index}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }
  }))
  // As servers do: the name first, the arguments in pieces behind it.
  return whole.flatMap(({ function: { name, arguments: text }, ...call }) => [
    { role: 'assistant', tool_calls: [{ ...call, function: { name, arguments: '' } }] },
    ...halves(text).map((part) => ({ tool_calls: [{ index: call.index, function: { arguments: part } }] }))
  ])
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function* endless(token: string, times: number, response: { readonly destroyed: boolean }): Generator<Delta> {
  for (let said = 0; said < times && !response.destroyed; said += 1) yield { role: 'assistant', content: token }
}
