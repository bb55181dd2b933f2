import { calls, says } from './chat-conducts.ts'
import { type CallOf, type ChatMessage, type Conduct, textOf } from './chat-exchange.ts'

/** `CALL tool {json}` anywhere in what it reads is an order. */
const order = /CALL\s+([\w.:-]{1,200})\s*(\{)/g

/**
 * A model without any judgement: it does whatever anything says that it reads, be it a question, a document or the
 * result of a tool, and repeats at the end all that it read. What it gets done is what the product let it do.
 * Orders that were given before its last step were carried out already.
 */
export function obeys(): Conduct {
  return (exchange) => {
    const { messages } = exchange.body
    const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    const orders = fresh.flatMap(ordersIn)
    if (orders.length > 0) return calls(orders)(exchange)
    return says('I did all of it. ', ...fresh.map(textOf).flatMap((text) => text.match(/[^]{1,200}/g) ?? []))(exchange)
  }
}

function ordersIn(message: ChatMessage): CallOf[] {
  if (message.role === 'system') return []
  const text = textOf(message)
  return [...text.matchAll(order)].map((found) => ({
    name: found[1] ?? '',
    arguments: objectAt(text, found.index + found[0].length - 1)
  }))
}

/** The text from a brace to the one that closes it; to the end where none does. */
function objectAt(text: string, start: number): string {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}
