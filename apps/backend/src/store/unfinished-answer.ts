import type { Failure, Message, Source, ToolUse } from '@oncall-agent/api-contracts'
import type { AnswerProgress } from './message-rows.ts'

/** The search of the knowledge base, by the name that it has in every turn. */
export const KNOWLEDGE_RETRIEVAL = 'knowledge_retrieval'

/** What the knowledge base said: `failed` when its last word was an error, whatever came before. */
export function retrievalOf(tools: readonly ToolUse[]): Message['retrieval'] {
  const ended = tools.filter(
    ({ tool, status }) =>
      tool === KNOWLEDGE_RETRIEVAL && (status === 'ok' || status === 'failed' || status === 'refused')
  )
  const last = ended.at(-1)
  if (last === undefined) return 'none'
  if (last.status !== 'ok') return 'failed'
  return ended.some(({ found }) => (found ?? 0) > 0) ? 'found' : 'empty'
}

/** An answer that ends without a word of the one who wrote it: all that it says of itself is read from what is there. */
export function unfinishedAnswer(
  { content, sources, tools }: Pick<AnswerProgress, 'content' | 'sources' | 'tools'>,
  { failure, failureOfCall }: { readonly failure: Failure; readonly failureOfCall: (call: ToolUse) => Failure }
) {
  return {
    status: content === '' ? ('failed' as const) : ('partial' as const),
    content,
    sources: withCited(sources, content),
    tools: tools.map((call) =>
      isOpen(call) ? { ...call, status: 'cancelled' as const, failure: failureOfCall(call) } : call
    ),
    retrieval: retrievalOf(tools),
    failure
  }
}

export function isOpen({ status }: ToolUse): boolean {
  return status === 'running' || status === 'waiting'
}

/** Code is no text that cites; a fence that the end cut off is code to the end. */
const code = /^ {0,3}(```|~~~)[^]*?(?:^ {0,3}\1|$(?![^]))|`[^`\n]+`/gm

function withCited(sources: readonly Source[], content: string): readonly Source[] {
  const markers = content.replaceAll(code, ' ').matchAll(/\[(\d{1,3})\](?!\()/g)
  const cited = new Set([...markers].map(([, marker]) => Number(marker)))
  return sources.map((source) => ({ ...source, cited: cited.has(source.marker) }))
}
