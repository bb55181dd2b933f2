import type { Source, ToolUse } from '@oncall-agent/api-contracts'
import type { Answer, Answerer, Turn, TurnEvent } from '../../agent/index.ts'

export type Script = (
  turn: Turn,
  tell: (event: TurnEvent) => void,
  signal: AbortSignal
) => Promise<Partial<Answer> | undefined | void>

/** An answerer without model or tools that says what its script says, and ends as a real one does when it is stopped. */
export function answererOf(script: Script): Answerer {
  return async (turn, onEvent, signal) => {
    let content = ''
    const sources: Source[] = []
    const tools = new Map<string, ToolUse>()
    const tell = (event: TurnEvent): void => {
      if (event.type === 'delta') content += event.text
      else if (event.type === 'source') sources.push(event.source)
      else tools.set(event.call.callId, event.call)
      onEvent(event)
    }
    const written = (): Omit<Answer, 'status' | 'failure'> => ({
      content,
      mode: 'agent',
      retrieval: sources.length > 0 ? 'found' : 'none',
      sources,
      tools: [...tools.values()],
      removedMarkers: 0
    })
    try {
      const changed = await script(turn, tell, signal)
      return { ...written(), status: 'completed', failure: null, ...changed }
    } catch (thrown) {
      if (!signal.aborted) throw thrown
      const failure = { code: 'CANCELLED' as const, message: 'stopped' }
      return { ...written(), status: content === '' ? 'failed' : 'partial', failure }
    }
  }
}

/** Says the question back. */
export const echo = answererOf(async ({ question }, tell) => tell({ type: 'delta', text: `Echo: ${question}` }))

export function toolUse(callId: string, changed: Partial<ToolUse> = {}): ToolUse {
  const open = { status: 'running', tookMs: null, failure: null, found: null } as const
  return { callId, tool: 'knowledge_retrieval', arguments: '{"query":"q"}', ...open, ...changed }
}

export function sourceOf(marker: number, changed: Partial<Source> = {}): Source {
  return {
    id: `doc#000${marker}`,
    title: 'etcd runbook',
    sourceType: 'knowledge-base',
    excerpt: 'defragment the member',
    documentId: 'doc',
    knowledgeBaseId: 'base',
    headingPath: ['Space'],
    start: 0,
    end: 21,
    score: 0.9,
    vectorRank: 1,
    bm25Rank: null,
    rerankRank: 1,
    vectorScore: 0.7,
    bm25Score: null,
    rrfScore: 0.03,
    rerankScore: 0.9,
    marker,
    runId: 'run-1',
    callId: 'call-1',
    cited: true,
    ...changed
  }
}
