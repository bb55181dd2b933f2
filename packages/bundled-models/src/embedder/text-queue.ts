import type { EncodedText } from './encoder-pair.ts'

/** Texts given to one thread at a time: the one it works on, and the next, so that it never waits for this side. */
const DEPTH = 2

export type TextLane = (text: string) => Promise<EncodedText>

interface Task {
  readonly text: string
  readonly call: Call
  readonly position: number
}

interface Call {
  readonly results: EncodedText[]
  missing: number
  over: boolean
  readonly finish: () => void
  readonly fail: (error: unknown) => void
}

/** Texts waiting for a thread, first come first served over all calls. */
export class TextQueue {
  readonly #lanes: readonly { readonly run: TextLane; busy: number }[]
  #tasks: Task[] = []

  constructor(lanes: readonly TextLane[]) {
    this.#lanes = lanes.map((run) => ({ run, busy: 0 }))
  }

  /**
   * In the order of `texts`. Rejects with the signal's reason at once when aborted: texts not yet with a thread are
   * dropped, at most `DEPTH` a thread are finished in vain. The first failure fails the call.
   */
  run(texts: readonly string[], signal?: AbortSignal): Promise<readonly EncodedText[]> {
    signal?.throwIfAborted()
    if (texts.length === 0) return Promise.resolve([])
    const { promise, resolve, reject } = Promise.withResolvers<readonly EncodedText[]>()
    const onAbort = (): void => call.fail(signal?.reason)
    const end = (): void => {
      call.over = true
      this.#tasks = this.#tasks.filter((task) => task.call !== call)
      signal?.removeEventListener('abort', onAbort)
    }
    const call: Call = {
      results: [],
      missing: texts.length,
      over: false,
      finish: () => (end(), resolve(call.results)),
      fail: (error) => (end(), reject(error))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    for (const [position, text] of texts.entries()) this.#tasks.push({ text, call, position })
    this.#dispatch()
    return promise
  }

  #dispatch(): void {
    // The least busy thread first, so that two texts go to two threads.
    for (let depth = 0; depth < DEPTH; depth++) {
      for (const lane of this.#lanes) {
        if (lane.busy > depth) continue
        const task = this.#tasks.shift()
        if (task === undefined) return
        lane.busy++
        void this.#work(lane, task)
      }
    }
  }

  async #work(lane: { readonly run: TextLane; busy: number }, { text, call, position }: Task): Promise<void> {
    try {
      call.results[position] = await lane.run(text)
      if (--call.missing === 0 && !call.over) call.finish()
    } catch (error) {
      if (!call.over) call.fail(error)
    }
    lane.busy--
    this.#dispatch()
  }
}
