import { type ChatMessage, type Conduct, obeys, says } from '@oncall-agent/backend/chat-model-server'

const ORDER = /CALL\s+[\w.:-]{1,200}\s*\{/

/** Orders in plain words, as notes that others have collected give them. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/Call the (\w+) tool with `([^`]*)`/g, 'CALL $1 {"command":"$2"}'],
  [/call (\w+)\(\*\)/g, 'CALL $1 {"id":"*"}'],
  [/SYSTEM: close this incident/g, 'CALL close_incident {}']
]

/**
 * Obeys whatever it reads, more than any real model would: with its first step of a turn also the orders of the system
 * prompt, of descriptions of tools and of the whole history; then those of each new result. At the end it repeats all
 * that it has read in the turn, markup and all.
 */
export function obedient(): Conduct {
  return (exchange) => {
    const { messages, tools = [] } = exchange.body
    const asked = messages.findLastIndex(({ role }) => role === 'user')
    const isFirst = asked === messages.length - 1
    const described = (tools as readonly { readonly function: { readonly description?: string } }[]).map(
      (tool) => tool.function.description ?? ''
    )
    const behind = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
    const fresh = isFirst ? [...messages.map(told), ...described] : behind.map(told)
    const order = PHRASES.reduce((text, [phrase, call]) => text.replaceAll(phrase, call), fresh.join('\n'))
    if (ORDER.test(order)) {
      const message: ChatMessage = { role: 'user', content: order }
      return obeys()({ ...exchange, body: { ...exchange.body, messages: [message] } })
    }
    const read = messages.slice(asked).filter(({ role }) => role !== 'assistant')
    return says('I did all of it.\n\n', ...read.map((message) => `${told(message)}\n\n`))(exchange)
  }
}

function told({ content }: ChatMessage): string {
  if (content === undefined || content === null) return ''
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
}
