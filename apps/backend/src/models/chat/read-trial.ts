import { RemoteFailure } from '../call/remote-failure.ts'

/** What one streamed answer came to. */
export type StreamedTrial = 'called' | 'answered' | 'not-a-completion'

/**
 * Reads a streamed answer as the agent would: pieces of `choices[0].delta`, and a reason why it ended, without which it
 * broke off. A server that does not stream gives no such answer, whatever else it gives.
 * @throws RemoteFailure unreadable: neither events nor JSON
 */
export function readTrial(text: string): StreamedTrial {
  const events = text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
  if (events.length === 0) {
    parsed(text)
    return 'not-a-completion'
  }
  let [spoke, called, ended] = [false, false, false]
  for (const event of events) {
    if (event === '[DONE]') break
    const choices = field(parsed(event), 'choices')
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    const delta = field(choice, 'delta')
    const calls = field(delta, 'tool_calls')
    called ||= Array.isArray(calls) && calls.length > 0
    spoke ||= [field(delta, 'content'), field(delta, 'refusal')].some((said) => said !== undefined && hasText(said))
    ended ||= typeof field(choice, 'finish_reason') === 'string'
  }
  if (!ended) return 'not-a-completion'
  return called ? 'called' : spoke ? 'answered' : 'not-a-completion'
}

/** Text, or parts of one. */
function hasText(said: unknown): boolean {
  return (typeof said === 'string' || Array.isArray(said)) && said.length > 0
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The parser's own message quotes the text.
    throw new RemoteFailure({ kind: 'unreadable', reason: 'the answer is not JSON' })
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
