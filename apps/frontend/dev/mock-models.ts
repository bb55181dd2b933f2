import type { ModelPart, Models, ModelTest } from '@oncall-agent/api-contracts'
import type { MockHandlers } from './mock-request.ts'

type ModelSettings = Models['models'][number]

const settingsOf = (part: ModelPart, examples: Readonly<Record<string, string>>): ModelSettings['settings'] =>
  Object.entries(examples).map(([key, example]) => ({
    name: `${part}.${key}`,
    variable: `KB_${part.toUpperCase()}__${key.replaceAll(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase()}`,
    example
  }))

const chatSettings = settingsOf('chat', {
  baseUrl: 'https://api.example.com/v1',
  model: 'qwen-plus',
  apiKey: 'sk-your-own-key'
})
const ofBundled = { configured: true, provider: 'bundled', origin: '', hasKey: false } as const

/** A chat model as it is before anybody set one, and after. */
export const noChatModel: ModelSettings = {
  part: 'chat',
  configured: false,
  provider: 'none',
  model: '',
  origin: '',
  hasKey: false,
  settings: chatSettings
}
export const sampleModels: readonly ModelSettings[] = [
  {
    part: 'chat',
    configured: true,
    provider: 'openai',
    model: 'qwen-plus',
    origin: 'https://api.example.com',
    hasKey: true,
    settings: chatSettings
  },
  {
    ...ofBundled,
    part: 'embedding',
    model: 'bundled-small',
    settings: settingsOf('embedding', { provider: 'openai', baseUrl: 'https://api.example.com/v1', apiKey: 'sk-key' })
  },
  { ...ofBundled, part: 'rerank', model: 'bundled-reranker', settings: [] }
]

const CHAT_MS = 812.4
const RERANK_MS = 8_000

export const modelHandlers: MockHandlers = {
  models: ({ state }) => ({ body: { models: state.models } }),
  testModel: ({ body, language }) => {
    const { part } = body as ModelTest
    // One of them fails, so that a failure is looked at too.
    const ok = part !== 'rerank'
    const zh = language.startsWith('zh')
    const good = zh ? '模型已回应。' : 'The model answered.'
    const bad = zh ? '8 秒内没有回应。请检查地址和网络。' : 'No answer within 8 s. Look at the address and the network.'
    return { body: { part, ok, tookMs: ok ? CHAT_MS : RERANK_MS, message: ok ? good : bad } }
  }
}
