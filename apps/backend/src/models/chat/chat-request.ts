/** Part of the section `chat` of the settings. */
export interface ChatRequestSettings {
  readonly model: string
  readonly temperature: number
  /** Tokens that the model reads at most, its answer included. */
  readonly contextTokens: number
  readonly maxOutputTokens: number
}

/** Tokens that an answer may have: a model that may answer with more than it reads would have no room for a question. */
export function outputTokensOf({ maxOutputTokens, contextTokens }: Omit<ChatRequestSettings, 'model' | 'temperature'>) {
  return Math.min(maxOutputTokens, Math.floor(contextTokens / 2))
}

/** Families that know the limit of tokens by its newer name alone; every other server knows the older one. */
const newerName = /^(o\d|gpt-[56](?!-chat))/

/**
 * The fields of a request that the settings decide, by their names of the protocol. The agent and the trial both send
 * them, so that a model which stood the trial stands a question.
 */
export function chatRequestFields(
  model: string,
  { temperature, outputTokens }: { readonly temperature: number; readonly outputTokens: number }
) {
  const limit = newerName.test(model) ? { max_completion_tokens: outputTokens } : { max_tokens: outputTokens }
  return { model, temperature, stream: true as const, ...limit }
}
