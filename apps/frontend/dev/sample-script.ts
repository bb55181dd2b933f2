import type { Message, ToolUse } from '@oncall-agent/api-contracts'
import { type MockRequest, nextId } from './mock-request.ts'
import { evidenceText, hostileText, longText, shortText, tableText, textWith } from './sample-answers.ts'
import { sourcesOf, type Step, toolUse } from './sample-chat.ts'
import { sampleRun } from './sample-run.ts'

export interface Script {
  readonly mode: Message['mode']
  readonly steps: readonly Step[]
}

/** Letters that a model says at once. */
const PIECE = 6

const said = (text: string): readonly Step[] =>
  (text.match(new RegExp(`.{1,${PIECE}}`, 'gsu')) ?? []).map((piece) => ({ text: piece }))

interface Wish {
  readonly topK: number
  /** Marker of the first source. */
  readonly first: number
  readonly cited: readonly number[]
}

/** A search of the knowledge base that finds something; its run is stored, as the server's is. */
function searched({ state }: MockRequest, query: string, wish: Wish) {
  const { topK, first, cited } = wish
  const runId = nextId(state, 'run')
  const callId = nextId(state, 'call')
  const { answer, stored } = sampleRun(runId, { query, topK })
  state.runs.set(runId, stored)
  const call = toolUse(callId, 'knowledge_retrieval', { query, topK })
  const sources = sourcesOf(answer.citations, { callId, runId, first, cited })
  const finish: ToolUse = { ...call, status: 'ok', tookMs: 83, found: sources.length }
  const retrieval = sources.length === 0 ? 'empty' : 'found'
  return [
    { start: call },
    { finish, wait: 300, change: { retrieval } },
    ...sources.map((source) => ({ source, wait: 1 }))
  ] satisfies readonly Step[]
}

function broken(request: MockRequest, query: string): readonly Step[] {
  const call = toolUse(nextId(request.state, 'call'), 'knowledge_retrieval', { query, topK: 5 })
  const failure = { code: 'SYSTEM_UNAVAILABLE', message: 'Knowledge reranking is temporarily unavailable.' } as const
  return [
    { start: call },
    { finish: { ...call, status: 'failed', tookMs: 4_012, failure }, change: { retrieval: 'failed' } }
  ]
}

function otherTool(request: MockRequest, tool: string, given: unknown, took = 37): readonly Step[] {
  const call = toolUse(nextId(request.state, 'call'), tool, given)
  return [{ start: call }, { finish: { ...call, status: 'ok', tookMs: took }, wait: 200 }]
}

/** What happens depends on a word of the question, so that each can be called up by hand. */
export function scriptFor(content: string, request: MockRequest): Script {
  const zh = request.language.startsWith('zh')
  const find = (topK: number, first: number, cited: readonly number[]) =>
    searched(request, 'E_CONN_RESET 恢复 pay-gateway restart', { topK, first, cited })
  const scripts: Readonly<Record<string, () => readonly Step[]>> = {
    nothing: () => [...searched(request, 'nothing', { topK: 5, first: 1, cited: [] }), ...said(textWith(zh, 'empty'))],
    fail: () => [...broken(request, content), ...said(textWith(zh, 'failed'))],
    hello: () => said(textWith(zh, 'hello')),
    one: () => [...find(1, 1, [1]), ...said(shortText(zh))],
    table: () => [...find(3, 1, [1, 2]), ...said(tableText(zh))],
    long: () => [...find(5, 1, [1, 2, 3]), ...find(3, 6, [6]), ...said(longText(zh))],
    hostile: () => [...find(2, 1, [1]), ...said(hostileText)],
    forged: () => [...find(2, 1, [1]), ...said(shortText(zh)), { change: { removedMarkers: 2 } }],
    evidence: () => [...find(5, 1, [1, 2, 3, 4, 5]), ...said(evidenceText(zh))],
    partial: () => [
      ...find(5, 1, [1]),
      ...said(shortText(zh).slice(0, 60)),
      { fail: { code: 'SYSTEM_UNAVAILABLE', message: 'The chat model stopped in the middle of its answer.' } }
    ],
    dead: () => [{ fail: { code: 'SYSTEM_UNAVAILABLE', message: 'The chat model did not answer within 60 s.' } }],
    approve: () => [
      ...otherTool(request, 'prometheus_query', { query: 'rate(gateway_resets_total[5m])' }),
      {
        ask: {
          ...toolUse(nextId(request.state, 'call'), 'ops__restart_deployment', {
            namespace: 'pay',
            deployment: 'pay-gateway',
            reason: '<b>E_CONN_RESET</b> since 02:41'
          }),
          status: 'waiting'
        }
      },
      ...said(textWith(zh, 'restarted'))
    ]
  }
  const word = Object.keys(scripts).find((each) => content.toLowerCase().includes(each))
  const steps = (scripts[word ?? ''] ?? (() => [...find(5, 1, [1, 2, 3, 4, 5]), ...said(tableText(zh))]))()
  return { mode: word === 'evidence' ? 'evidence-only' : 'agent', steps }
}
