import type { BaseMessage } from '@langchain/core/messages'
import type { ChatGenerationChunk } from '@langchain/core/outputs'
import type { OpenAIClient } from '@langchain/openai'
import { forgetForeignSettings } from '../../config/index.ts'
import { chatRequestFields } from '../../models/index.ts'
import type { AnswerSettings } from './answerer-parts.ts'
import { modelFetch } from './model-fetch.ts'

/** How a model is asked once; the pieces of its answer as they come. */
export interface AskableModel {
  ask(messages: BaseMessage[], options: AskOptions): AsyncIterable<ChatGenerationChunk>
}

export interface AskOptions {
  readonly signal: AbortSignal
  readonly tools: readonly OpenAIClient.Chat.Completions.ChatCompletionFunctionTool[]
  /** `none`: it has to answer, whatever tools there are. */
  readonly toolChoice: 'auto' | 'none'
}

export type LangChain = Awaited<ReturnType<typeof load>>

let loading: Promise<LangChain> | undefined

/** Loaded with the first answer, for it is a second's worth of code that no command and no start should wait for. */
export function loadLangChain(): Promise<LangChain> {
  loading ??= load().catch((thrown: unknown) => {
    loading = undefined
    throw thrown
  })
  return loading
}

/** Loads what the first answer needs; a server calls it once it listens and a chat model is configured. */
export async function warm(): Promise<void> {
  await loadLangChain()
}

async function load() {
  // Otherwise a variable of the shell could send every question and document to a tracing service.
  forgetForeignSettings()
  const [langchain, tools, messages, { ChatOpenAICompletions }] = await Promise.all([
    import('langchain'),
    import('@langchain/core/tools'),
    import('@langchain/core/messages'),
    import('@langchain/openai')
  ])

  /**
   * The model that speaks OpenAI's protocol, with what the library leaves out: a refusal, which has a field of its own,
   * text in parts, and pieces without a role, all of which servers send.
   */
  class ChatModel extends ChatOpenAICompletions {
    /**
     * Straight from the protocol: the library's own `stream` adds every piece to all pieces before it, which for a
     * thousand calls of tools takes longer than the model.
     */
    ask(sent: BaseMessage[], { signal, tools: offered, toolChoice }: AskOptions) {
      const some = offered.length > 0
      // oxlint-disable-next-line no-underscore-dangle -- the library's name
      return this._streamResponseChunks(sent, {
        signal,
        ...(some ? { tools: [...offered], tool_choice: toolChoice } : {})
      })
    }

    /** With the fields that the trial of the settings sends, too, whatever the library would call them. */
    override invocationParams(options?: this['ParsedCallOptions'], extra?: { streaming?: boolean }) {
      const { max_tokens: _older, max_completion_tokens: _newer, ...params } = super.invocationParams(options, extra)
      const { temperature = 0, maxTokens: outputTokens = 0 } = this
      return { ...params, ...chatRequestFields(this.model, { temperature, outputTokens }) }
    }

    // oxlint-disable-next-line no-underscore-dangle -- the library's name
    protected override _convertCompletionsDeltaToBaseMessageChunk(
      delta: Record<string, unknown>,
      raw: OpenAIClient.Chat.Completions.ChatCompletionChunk,
      role?: OpenAIClient.Chat.ChatCompletionRole
    ) {
      const content = `${plainText(delta.content)}${plainText(delta.refusal)}`
      // oxlint-disable-next-line no-underscore-dangle -- the library's name
      return super._convertCompletionsDeltaToBaseMessageChunk({ ...delta, role: 'assistant', content }, raw, role)
    }
  }

  const { createAgent, createMiddleware } = langchain
  return { createAgent, createMiddleware, DynamicStructuredTool: tools.DynamicStructuredTool, ChatModel, ...messages }
}

/** What the library would read from elsewhere is said here, and what it would do on its own is off. */
export function modelFields({ baseUrl, model, apiKey, temperature }: AnswerSettings, outputTokens: number) {
  return {
    model,
    temperature,
    maxTokens: outputTokens,
    // The library wants one; where there is none it is taken off again.
    apiKey: apiKey === '' ? 'none' : apiKey,
    // Repeating is decided in one place, where it is known whether the model has said something.
    maxRetries: 0,
    streaming: true,
    // Not every server knows the option that this adds.
    streamUsage: false,
    configuration: {
      baseURL: baseUrl,
      organization: null,
      project: null,
      maxRetries: 0,
      // It would print what it could not read; our own log tells of the failure.
      logLevel: 'off' as const,
      // A redirect is not followed, for the key would go along.
      fetchOptions: { redirect: 'manual' as const },
      fetch: modelFetch({ apiKey, outputTokens })
    }
  }
}

/** Text, or the text of parts. */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: unknown) => textPart(part)).join('')
}

function textPart(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('text' in part)) return ''
  return typeof part.text === 'string' ? part.text : ''
}
