import type { StageName, StageTrace } from '@oncall-agent/retrieval'
import { settledBefore } from '../settled-before.ts'

/** The stages of contract 1, in the order in which they are told. */
const stageOrder: readonly StageName[] = ['embed', 'vector', 'lexical', 'fuse', 'rerank']

/** A stage that did not do its work; `cause` is for the log, `stage` chooses the public message. */
export class StageFailure extends Error {
  override readonly name = 'StageFailure'
  readonly stage: StageName

  constructor(stage: StageName, cause: unknown) {
    super(`the ${stage} stage failed`, { cause })
    this.stage = stage
  }
}

export interface StageCall<T> {
  readonly name: StageName
  readonly engine: string
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly work: (signal: AbortSignal) => Promise<T>
  readonly count: (value: T) => number
}

/** A stage that is over, and when it began: milliseconds since the epoch, with fractions. */
export interface EndedStage extends StageTrace {
  readonly startedAt: number
}

/** What ran, how long it took and what came out; one log a retrieval. A stage that runs again replaces its line. */
export class StageLog {
  readonly #traces = new Map<StageName, StageTrace>()
  readonly #onEnded: (stage: EndedStage) => void

  /** @param onEnded told of each stage as it ends, of one that runs again each time */
  constructor(onEnded: (stage: EndedStage) => void = () => {}) {
    this.#onEnded = onEnded
  }

  /**
   * Runs one stage inside its own deadline and the call's signal, and writes its line.
   * The answer does not wait for work that ignores its signal.
   * @throws StageFailure; the signal's own reason when the caller gave up
   */
  async run<T>(call: StageCall<T>): Promise<T> {
    const started = performance.now()
    const deadline = AbortSignal.timeout(call.deadlineMs)
    const signal = AbortSignal.any([call.signal, deadline])
    try {
      signal.throwIfAborted()
      const value = await settledBefore(signal, call.work(signal))
      const candidates = call.count(value)
      this.#write(call, candidates === 0 ? 'empty' : 'ok', candidates, started)
      return value
    } catch (cause) {
      this.#write(call, 'failed', 0, started)
      if (call.signal.aborted) throw call.signal.reason
      throw new StageFailure(call.name, cause)
    }
  }

  /** One line for every stage; those that never started are `skipped`. */
  lines(engineOf: (name: StageName) => string): readonly StageTrace[] {
    return stageOrder.map(
      (name) => this.#traces.get(name) ?? { name, status: 'skipped', engine: engineOf(name), candidates: 0, tookMs: 0 }
    )
  }

  #write(call: { name: StageName; engine: string }, status: StageTrace['status'], candidates: number, started: number) {
    const tookMs = Math.round((performance.now() - started) * 100) / 100
    const trace = { name: call.name, status, engine: call.engine, candidates, tookMs }
    this.#traces.set(call.name, trace)
    this.#onEnded({ ...trace, startedAt: performance.timeOrigin + started })
  }
}
