import type { ModelPart, Models } from '@oncall-agent/api-contracts'
import { environmentName } from '../config/index.ts'
import type { Parts } from './parts.ts'

type ModelSettings = Models['models'][number]

/** What to set, with an example of each; nothing in it is anybody's. */
const examples: Readonly<Record<ModelPart, readonly (readonly [key: string, example: string])[]>> = {
  chat: [
    ['baseUrl', 'https://api.example.com/v1'],
    ['model', 'name-of-the-model'],
    ['apiKey', 'the-key-of-that-server']
  ],
  embedding: [
    ['provider', 'openai'],
    ['baseUrl', 'https://api.example.com/v1'],
    ['model', 'name-of-the-model'],
    ['apiKey', 'the-key-of-that-server'],
    ['dimension', '1024']
  ],
  rerank: [
    ['provider', 'jina'],
    ['baseUrl', 'https://api.example.com/v1/rerank'],
    ['model', 'name-of-the-model'],
    ['apiKey', 'the-key-of-that-server']
  ]
}

/** Which models answer here, without any secret. */
export function modelSettings({ settings, embedder, reranker }: Parts): Models {
  const { chat, embedding, rerank } = settings
  const hasChat = chat.baseUrl !== ''
  return {
    models: [
      modelOf('chat', { ...chat, provider: hasChat ? 'openai' : 'none' }, chat.model),
      modelOf('embedding', embedding, embedder.fingerprint.model),
      modelOf('rerank', rerank, rerank.provider === 'bundled' ? reranker.name : rerank.model)
    ]
  }
}

interface Configured {
  readonly provider: string
  readonly baseUrl: string
  readonly apiKey: string
}

function modelOf(part: ModelPart, { provider, baseUrl, apiKey }: Configured, model: string): ModelSettings {
  const isRemote = provider !== 'bundled' && provider !== 'none'
  return {
    part,
    configured: provider !== 'none',
    provider,
    model,
    // Without its path, which may hold a key.
    origin: isRemote ? new URL(baseUrl).origin : '',
    hasKey: isRemote && apiKey !== '',
    settings: examples[part].map(([key, example]) => ({
      name: `${part}.${key}`,
      variable: environmentName(part, key),
      example
    }))
  }
}
