import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@oncall-agent/api-contracts'
import type { BegunTurn, ConversationOwner } from '../../store/index.ts'
import { nextRound } from '../answer/next-round.ts'
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
  /**
   * Takes a place for an answer whose question is still to be stored; it counts from now on.
   * @throws AppError RATE_LIMITED, SYSTEM_UNAVAILABLE while the process stops
   */
  takePlace(): Place
  /** @param graceMs for those that end by themselves */
  close(graceMs: number): Promise<void>
}

export interface Place {
  /** Begins the answer, which has the place until its end. */
  begin(owner: ConversationOwner, turn: BegunTurn, asked: Asked): void
  /** Gives back a place in which nothing began. */
  leave(): void
}

/** The answers that this process writes. */
export function createRunningAnswers(context: AnswerContext, places: number): RunningAnswers {
  const all = new Map<string, RunningAnswer>()
  /** Places of questions that are being stored: each resolves when its answer began, or did not. */
  const taken = new Set<Promise<void>>()
  let isClosing = false
  const write = async (run: RunningAnswer, asked: Asked): Promise<void> => {
    await writeAnswer(context, run, asked)
    all.delete(run.id)
  }
  return {
    all,
    takePlace: () => {
      if (isClosing) throw closing()
      if (all.size + taken.size >= places) throw full()
      const { promise, resolve } = Promise.withResolvers<void>()
      taken.add(promise)
      const leave = (): void => {
        taken.delete(promise)
        resolve()
      }
      return {
        begin: (owner, turn, asked) => {
          const run = new RunningAnswer(owner, turn)
          all.set(run.id, run)
          context.writer.hold(run)
          void delay(START_AFTER_MS)
            .then(nextRound)
            .then(() => write(run, asked))
          leave()
        },
        leave
      }
    },
    close: async (graceMs) => {
      isClosing = true
      // A question that is being stored has an answer in a moment, which ends with the others.
      await Promise.all(taken)
      const ended = allEnded([...all.values()])
      const waited = new AbortController()
      await Promise.race([ended, delay(graceMs, undefined, { signal: waited.signal }).catch(() => undefined)])
      waited.abort()
      for (const run of all.values()) run.stop(closing())
      await ended
    }
  }
}

function full(): AppError {
  return new AppError('RATE_LIMITED', {
    operation: 'begin answer',
    message: 'As many answers as this server may write are being written.',
    details: { retryAfterSeconds: RETRY_AFTER_SECONDS }
  })
}

async function allEnded(runs: readonly RunningAnswer[]): Promise<void> {
  await Promise.all(runs.map((run) => run.ended))
}
