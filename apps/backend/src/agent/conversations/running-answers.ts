import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@oncall-agent/api-contracts'
import type { ConversationOwner, StoredMessage } from '../../store/index.ts'
import { closing } from './ending-reasons.ts'
import { RunningAnswer } from './running-answer.ts'
import { type AnswerContext, type Asked, writeAnswer } from './write-answer.ts'

/** Seconds after which it is worth to ask again when all places are taken. */
const RETRY_AFTER_SECONDS = 5
/**
 * Milliseconds before the first work on an answer: `message.started` leaves first. The first answer of a process loads
 * the agent's code, which holds the thread for longer than a person should wait for a sign.
 */
const START_AFTER_MS = 5

export interface RunningAnswers {
  /** By the answer's id. */
  readonly all: ReadonlyMap<string, RunningAnswer>
  /** @throws AppError RATE_LIMITED, SYSTEM_UNAVAILABLE while the process stops */
  expectPlace(): void
  begin(owner: ConversationOwner, turn: BegunTurn, asked: Asked): void
  /** @param graceMs for those that end by themselves */
  close(graceMs: number): Promise<void>
}

interface BegunTurn {
  readonly question: StoredMessage
  readonly answer: StoredMessage
}

/** The answers that this process writes. */
export function createRunningAnswers(context: AnswerContext, places: number): RunningAnswers {
  const all = new Map<string, RunningAnswer>()
  let isClosing = false
  const start = oneATurn()
  const write = async (run: RunningAnswer, asked: Asked): Promise<void> => {
    await writeAnswer(context, run, asked)
    all.delete(run.id)
  }
  return {
    all,
    expectPlace: () => {
      if (isClosing) throw closing()
      if (all.size < places) return
      throw new AppError('RATE_LIMITED', {
        operation: 'begin answer',
        message: 'As many answers as this server may write are being written.',
        details: { retryAfterSeconds: RETRY_AFTER_SECONDS }
      })
    },
    begin: (owner, turn, asked) => {
      const run = new RunningAnswer(owner, turn)
      all.set(run.id, run)
      context.writer.hold(run)
      start(() => void write(run, asked))
    },
    close: async (graceMs) => {
      isClosing = true
      const ended = allEnded([...all.values()])
      const waited = new AbortController()
      await Promise.race([ended, delay(graceMs, undefined, { signal: waited.signal }).catch(() => undefined)])
      waited.abort()
      for (const run of all.values()) run.stop(closing())
      await ended
    }
  }
}

async function allEnded(runs: readonly RunningAnswer[]): Promise<void> {
  await Promise.all(runs.map((run) => run.ended))
}

/**
 * Starts works, one in each turn of the event loop: beginning an answer holds the thread for some milliseconds, and of
 * two hundred at once everybody else would wait for the sum.
 */
function oneATurn(): (work: () => void) => void {
  const waiting: (() => void)[] = []
  const next = (): void => {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return (work) => {
    waiting.push(work)
    if (waiting.length === 1) setTimeout(next, START_AFTER_MS)
  }
}
