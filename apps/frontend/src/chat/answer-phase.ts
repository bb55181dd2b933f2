import type { Message } from '@oncall-agent/api-contracts'

export type AnswerPhase = 'thinking' | 'writing' | 'waiting' | 'reconnecting' | 'done' | 'partial' | 'failed'

/** What an answer is at, in a word. It changes a few times an answer, so that it can be read aloud. */
export function answerPhase({ status, tools, content }: Message, connected: boolean): AnswerPhase {
  if (status === 'completed') return 'done'
  if (status !== 'streaming') return status
  if (!connected) return 'reconnecting'
  if (tools.some((call) => call.status === 'waiting')) return 'waiting'
  return content === '' || tools.some((call) => call.status === 'running') ? 'thinking' : 'writing'
}

/**
 * What the knowledge base said so far: while an answer is written, a search that failed is known before the stored
 * message says so.
 */
export function retrievalSoFar({ status, retrieval, tools }: Message): Message['retrieval'] {
  if (status !== 'streaming') return retrieval
  const last = tools.findLast(({ tool }) => tool === 'knowledge_retrieval')
  return last?.status === 'failed' ? 'failed' : 'none'
}
