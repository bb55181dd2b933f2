import type { Source, ToolUse } from '@oncall-agent/api-contracts'
import type { AnswerProgress, AnswerStep } from '../../store/index.ts'
import type { TurnEvent } from '../answer/turn.ts'

/**
 * What has been written of an answer, in the order in which it came. Text is kept once; everything else is a step that
 * happened when the answer had so many characters. What a stream tells, what is stored and what another process tells
 * of it are all read from this one shape.
 */
export class AnswerLog {
  #content = ''
  #sources: readonly Source[] = []
  #tools: readonly ToolUse[] = []
  #steps: readonly AnswerStep[] = []
  /** Grows with each event: tells whether there is anything new. */
  #version = 0

  get version(): number {
    return this.#version
  }

  add(event: TurnEvent): void {
    this.#version += 1
    if (event.type === 'delta') {
      this.#content += event.text
      return
    }
    const at = whole(this.#content).length
    if (event.type === 'source') {
      this.#sources = [...this.#sources, event.source]
      this.#steps = [...this.#steps, { at, type: 'source', marker: event.source.marker }]
      return
    }
    const { call } = event
    const known = this.#tools.some(({ callId }) => callId === call.callId)
    this.#tools = known
      ? this.#tools.map((each) => (each.callId === call.callId ? call : each))
      : [...this.#tools, call]
    this.#steps = [...this.#steps, { at, type: event.type, callId: call.callId }]
  }

  /** What may be told and stored now: a character of two units is told whole or not at all. */
  get progress(): AnswerProgress {
    return { content: whole(this.#content), sources: this.#sources, tools: this.#tools, steps: this.#steps }
  }
}

/** The text without the first half of a pair at its end. */
export function whole(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}
