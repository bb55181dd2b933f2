import type { ModelPart, Models } from '@oncall-agent/api-contracts'

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
