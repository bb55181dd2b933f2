import { createEndpoint, type Endpoint } from '../call/endpoint.ts'
import { postJson } from '../call/post-json.ts'
import { RemoteFailure } from '../call/remote-failure.ts'
import { chatRequestFields, type ChatRequestSettings, outputTokensOf } from './chat-request.ts'
import { readTrial, type StreamedTrial } from './read-trial.ts'

export interface ChatModelOptions extends ChatRequestSettings {
  /** Up to the version: `https://api.example.com/v1`. */
  readonly baseUrl: string
  /** Empty for a server that wants none. */
  readonly apiKey: string
  /** Milliseconds of the whole try. */
  readonly timeoutMs: number
}

/**
 * `called`: it answers, and calls a tool when it is asked to. `answered`: it answers, and does not call the tool.
 * `refuses-tools`: it answers only when no tools are given. `not-a-completion`: what came is no chat completion.
 */
export type ChatTrial = StreamedTrial | 'refuses-tools'

/** Bytes of an answer that should have one line; some models think before it, and each token of that is an event. */
const ANSWER_BYTES = 16_777_216

const ping = {
  type: 'function',
  function: {
    name: 'ping',
    description: 'Answers pong.',
    parameters: { type: 'object', properties: {}, additionalProperties: false }
  }
}

/**
 * Asks a server that speaks OpenAI's protocol for one small completion, as the agent would: streamed, with instructions, a tool,
 * and all that the settings say.
 * @throws RemoteFailure; PortError invalid-argument for an address or a key that can not be used; the signal's reason
 */
export async function tryChatModel(options: ChatModelOptions, signal: AbortSignal): Promise<ChatTrial> {
  const { baseUrl, model, apiKey, temperature, timeoutMs } = options
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const endpoint = createEndpoint({ url, model, apiKey, timeoutMs })
  const body = {
    ...chatRequestFields(model, { temperature, outputTokens: outputTokensOf(options) }),
    messages: [
      { role: 'system', content: 'You test whether tools can be called.' },
      { role: 'user', content: 'Call the tool `ping` once.' }
    ]
  }
  try {
    return await post(endpoint, { ...body, tools: [ping], tool_choice: 'auto' }, signal)
  } catch (thrown) {
    if (!(thrown instanceof RemoteFailure) || thrown.kind !== 'refused') throw thrown
    // Is it the tools that it refuses, or everything? Then its second refusal is the answer.
    const withoutTools = await post(endpoint, body, signal)
    return withoutTools === 'not-a-completion' ? withoutTools : 'refuses-tools'
  }
}

async function post(endpoint: Endpoint, body: unknown, signal: AbortSignal): Promise<StreamedTrial> {
  return (await postJson(endpoint, { body, maxBytes: ANSWER_BYTES, read: readTrial }, signal)) as StreamedTrial
}
