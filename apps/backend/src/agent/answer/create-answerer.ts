import { AppError } from '@oncall-agent/api-contracts'
import type { AnswererParts } from './answerer-parts.ts'
import { answerWithEvidence } from './answer-with-evidence.ts'
import { runAgent } from './run-agent.ts'
import { failureFrom } from './tool-outcome.ts'
import { TurnDeadline } from './turn-deadline.ts'
import type { Answerer } from './turn.ts'
import { TurnState } from './turn-state.ts'

/**
 * Answers turns: by the agent, or by what was found where no model is configured. One deadline and one signal bound all
 * that a turn does.
 */
export function createAnswerer(parts: AnswererParts): Answerer {
  const { settings } = parts
  return async (turn, onEvent, signal) => {
    const state = new TurnState(turn, onEvent)
    const stop = new AbortController()
    const stopBy = (reason: unknown): void => {
      state.end(reason instanceof AppError ? failureFrom(reason, turn.language) : 'stopped')
      stop.abort(reason)
    }
    const stopped = (): void => stopBy(signal.reason)
    const deadline = new TurnDeadline(settings.deadlineMs, () => {
      state.end('deadline')
      stop.abort(new Error('the deadline of the turn'))
    })
    const bounds = { signal: stop.signal, deadline }
    signal.addEventListener('abort', stopped, { once: true })
    if (signal.aborted) stopped()
    const mode = settings.baseUrl === '' ? 'evidence-only' : 'agent'
    try {
      if (!state.ended && mode === 'agent') await runAgent(state, parts, bounds)
      else if (!state.ended) await answerWithEvidence(state, parts, bounds)
    } catch (thrown) {
      if (!state.ended) throw thrown
    } finally {
      deadline.close()
      signal.removeEventListener('abort', stopped)
    }
    return state.close(mode)
  }
}
