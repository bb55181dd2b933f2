import type { Failure, ToolUse } from '@oncall-agent/api-contracts'
import { retrievalOf } from '../../store/index.ts'
import { type EndingReason, failureOf, sentences } from './sentences.ts'
import { MarkerFilter } from './marker-filter.ts'
import { SourceList } from './source-list.ts'
import type { Answer, Turn, TurnEvent } from './turn.ts'

/** What one turn has come to so far: text, sources, calls, and why it ended. Tells everything as it happens. */
export class TurnState {
  readonly turn: Turn
  readonly sources = new SourceList()
  readonly #onEvent: (event: TurnEvent) => void
  readonly #filter = new MarkerFilter((marker) => this.sources.isSource(marker))
  /** By call id, in the order in which they began. */
  readonly #calls = new Map<string, ToolUse>()
  #content = ''
  #failure: Failure | undefined
  #closed = false

  constructor(turn: Turn, onEvent: (event: TurnEvent) => void) {
    this.turn = turn
    this.#onEvent = onEvent
  }

  /** Nothing more is to be done: it failed, was stopped, or came to a limit. */
  get ended(): boolean {
    return this.#failure !== undefined
  }

  /** Ends the turn; of several reasons the first one counts. */
  end(reason: EndingReason | Failure): void {
    this.#failure ??= typeof reason === 'string' ? failureOf(reason, this.turn.language) : reason
  }

  /** Text of the model; what is told is what will be stored. */
  write(text: string): void {
    this.#tell(this.#filter.push(text))
  }

  /** What comes next is another paragraph. */
  beginParagraph(): void {
    if (this.#content === '') return
    this.#tell(this.#filter.push(this.#content.endsWith('\n') ? '\n' : '\n\n'))
  }

  isRunning(callId: string): boolean {
    return this.#calls.get(callId)?.status === 'running'
  }

  callStarted(call: ToolUse): void {
    this.#calls.set(call.callId, call)
    this.#emit({ type: 'tool.started', call })
  }

  callWaiting(call: ToolUse): void {
    this.#calls.set(call.callId, call)
    this.#emit({ type: 'tool.waiting', call })
  }

  /** Tells the end of a call, and then the sources that are new by it. */
  callFinished(call: ToolUse): void {
    this.#calls.set(call.callId, call)
    if (call.status !== 'ok') this.sources.release(call.callId)
    const given = call.status === 'ok' ? this.sources.give(call.callId) : []
    this.#emit({ type: 'tool.finished', call })
    for (const source of given) this.#emit({ type: 'source', source })
  }

  /** The whole, once nothing runs any more; says what must be said about retrieval. Nothing is told afterwards. */
  close(mode: Answer['mode']): Answer {
    this.#tell(this.#filter.end())
    const retrieval = this.retrieval
    if (mode === 'agent' && retrieval === 'failed') this.#sayRetrievalFailed()
    this.#closed = true
    const failure = this.#failure ?? null
    return {
      status: failure === null ? 'completed' : this.#content.trim() === '' ? 'failed' : 'partial',
      content: this.#content,
      mode,
      retrieval,
      sources: this.sources.all(this.#filter.cited),
      tools: [...this.#calls.values()],
      removedMarkers: this.#filter.removed,
      failure
    }
  }

  get retrieval(): Answer['retrieval'] {
    return retrievalOf([...this.#calls.values()])
  }

  /** The rule holds whatever the model wrote; an answer of nothing at all has its failure instead. */
  #sayRetrievalFailed(): void {
    if (this.#failure !== undefined && this.#content.trim() === '') return
    const sentence = this.sources.size > 0 ? sentences.laterRetrievalFailed : sentences.retrievalFailed
    const open = openFence(this.#content)
    this.#tell(`${open === '' ? '' : `\n${open}`}\n\n> ${sentence[this.turn.language]}`)
  }

  #tell(text: string): void {
    // Blank lines before the first word are of the model's thinking, not of its answer.
    const told = this.#content === '' ? text.trimStart() : text
    if (told === '') return
    this.#content += told
    this.#emit({ type: 'delta', text: told })
  }

  #emit(event: TurnEvent): void {
    if (!this.#closed) this.#onEvent(event)
  }
}

/** The marks of a fence that a text leaves open, for what follows would become code; empty where none is. */
function openFence(text: string): string {
  let open = ''
  for (const [, marks = ''] of text.matchAll(/^[ \t>]*(`{3,}|~{3,})[^\n]*$/gm)) {
    if (open === '') open = marks
    else if (marks.startsWith(open)) open = ''
  }
  return open
}
