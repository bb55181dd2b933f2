import type { ModelTest } from '@oncall-agent/api-contracts'
import type { MockHandlers } from './mock-request.ts'

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
