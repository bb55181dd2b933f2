import { createEndpoint, type Endpoint } from '../call/endpoint.ts'
import { postJson } from '../call/post-json.ts'
import { RemoteFailure } from '../call/remote-failure.ts'

export interface ChatModelOptions {
  /** Up to the version: `https://api.example.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  /** Empty for a server that wants none. */
  readonly apiKey: string
  readonly temperature: number
  /** Milliseconds of the whole try. */
  readonly timeoutMs: number
}

/**
 * `called`: it answers, and calls a tool when it is asked to. `answered`: it answers, and does not call the tool.
 * `refuses-tools`: it answers only when no tools are given. `not-a-completion`: what came is no chat completion.
 */
export type ChatTrial = 'called' | 'answered' | 'refuses-tools' | 'not-a-completion'

/** Bytes of an answer that should have one line. */
const ANSWER_BYTES = 1_048_576

const ping = {
  type: 'function',
  function: {
    name: 'ping',
    description: 'Answers pong.',
    parameters: { type: 'object', properties: {}, additionalProperties: false }
  }
}

/**
 * Asks a server that speaks OpenAI's protocol for one small completion, as the agent would: with a tool.
 * @throws RemoteFailure; PortError invalid-argument for an address or a key that can not be used; the signal's reason
 */
export async function tryChatModel(options: ChatModelOptions, signal: AbortSignal): Promise<ChatTrial> {
  const { baseUrl, model, apiKey, temperature, timeoutMs } = options
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const endpoint = createEndpoint({ url, model, apiKey, timeoutMs })
  // No limit of tokens: models do not agree on its name, and some think before they answer.
  const body = { model, temperature, messages: [{ role: 'user', content: 'Call the tool `ping` once.' }] }
  try {
    return trialOf(await post(endpoint, { ...body, tools: [ping] }, signal))
  } catch (thrown) {
    if (!(thrown instanceof RemoteFailure) || thrown.kind !== 'refused') throw thrown
    // Is it the tools that it refuses, or everything? Then its second refusal is the answer.
    const withoutTools = trialOf(await post(endpoint, body, signal))
    return withoutTools === 'not-a-completion' ? withoutTools : 'refuses-tools'
  }
}

function post(endpoint: Endpoint, body: unknown, signal: AbortSignal): Promise<unknown> {
  return postJson(endpoint, { body, maxBytes: ANSWER_BYTES }, signal)
}

/** `choices[0].message` with a text or calls; anything else is another kind of server. */
function trialOf(answer: unknown): ChatTrial {
  const choices = field(answer, 'choices')
  const message = field(Array.isArray(choices) ? choices[0] : undefined, 'message')
  const calls = field(message, 'tool_calls')
  if (Array.isArray(calls) && calls.length > 0) return 'called'
  return typeof field(message, 'content') === 'string' ? 'answered' : 'not-a-completion'
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined
}
