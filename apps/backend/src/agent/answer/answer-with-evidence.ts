import { QUERY_LIMIT, type Source } from '@oncall-agent/api-contracts'
import type { AnswererParts } from './answerer-parts.ts'
import { sentences } from './sentences.ts'
import { ToolRunner } from './tool-runner.ts'
import type { TurnBounds } from './turn-deadline.ts'
import type { TurnState } from './turn-state.ts'

/** Without a chat model: searches for the question as it is, and answers with what was found, word for word. */
export async function answerWithEvidence(state: TurnState, parts: AnswererParts, bounds: TurnBounds): Promise<void> {
  const { turn } = state
  const tool = parts.retrievalToolFor(turn)
  const runner = new ToolRunner(state, [tool], parts, bounds)
  const asked = turn.question.trim()
  const query = asked.slice(0, QUERY_LIMIT).replace(/[\uD800-\uDBFF]$/, '')
  await runner.run({ callId: 'call00001', tool: tool.name, text: JSON.stringify({ query }) })
  if (state.ended) return
  const say = (sentence: keyof typeof sentences): void => state.write(sentences[sentence][turn.language])
  say(state.retrieval === 'failed' ? 'noModelFailed' : state.retrieval === 'empty' ? 'noModelEmpty' : 'noModel')
  if (query.length < asked.length) {
    state.beginParagraph()
    say('questionCut')
  }
  for (const source of state.sources.all(new Set())) {
    state.beginParagraph()
    state.write(evidenceOf(source))
  }
}

function evidenceOf({ marker, title, headingPath, excerpt }: Source): string {
  const place = [title, ...headingPath].map((part) => asText(part.replaceAll(/\s+/g, ' '))).join(' › ')
  const lines = excerpt.split('\n').filter((line) => line.trim() !== '')
  return [`**${place}** [${marker}]`, '', ...lines.map((line) => `> ${asText(line.trim())}  `)].join('\n')
}

/** What such an answer says, where nothing reads Markdown. */
export function asPlainText(markdown: string): string {
  return markdown.replaceAll(
    /\\([!-/:-@[-`{-~])|&#(\d+);/g,
    (_, mark: string | undefined, code: string) => mark ?? String.fromCharCode(Number(code))
  )
}

/** Words of a document as words: nothing in them is a heading, a link, a marker or a tag. */
function asText(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()<>#+\-.!|~&$=:"'@^【】［］]/g, (mark) =>
    mark < '\u0080' ? `\\${mark}` : `&#${mark.charCodeAt(0)};`
  )
}
