import { randomUUID } from 'node:crypto'
import { type Answer, asPlainText, type TurnEvent } from '../agent/index.ts'
import { localReader } from '../auth/index.ts'
import type { AskCommand, AskWatch } from '../cli/index.ts'
import { baseName } from './base-name.ts'
import { answererOver } from './chat-answerer.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'

/** Nobody measures a command; its answer says how it went. */
const UNWATCHED = { onToolCall: () => undefined, onModelCall: () => undefined }

/**
 * One question at the command line, as the local tenant. It belongs to no conversation and none is stored; what its
 * tools were asked is in the audit all the same. Nobody is there to approve a call, so one that needs it is refused.
 */
export async function askLocally(
  parts: Parts,
  { question, knowledgeBases, language }: AskCommand,
  { signal, onEvent }: AskWatch
): Promise<Answer> {
  expectData(parts)
  const store = await parts.store.get()
  const caller = await localReader(store, knowledgeBases.map(baseName))
  const turn = {
    conversationId: 'command-line',
    messageId: randomUUID(),
    caller,
    language,
    question,
    history: [],
    decide: async () => false
  }
  // Without a model the answer is quotations, whose marks are kept from being Markdown: outside of a page they are plain.
  // Such answers come in whole pieces, so no mark is cut off from its backslash.
  const isQuoted = parts.settings.chat.baseUrl === ''
  const tell = (event: TurnEvent): void =>
    onEvent(isQuoted && event.type === 'delta' ? { ...event, text: asPlainText(event.text) } : event)
  const answer = await answererOver(parts, { store, watch: UNWATCHED })(turn, tell, signal)
  return isQuoted ? { ...answer, content: asPlainText(answer.content) } : answer
}
