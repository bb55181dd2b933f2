import { type ChildProcess, fork } from 'node:child_process'
import { Socket } from 'node:net'
import { AppError } from '@oncall-agent/api-contracts'
import type { ExtractionLimits } from '../../settings.ts'
import { unreadable } from '../../unreadable.ts'
import type { PreparedDocument } from '../extracted-document.ts'
import type { ChildAnswer, ChildCommand, PrepareRequest, TokenCounterModule } from './protocol.ts'
import { residentMemoryMiB } from './resident-memory.ts'

/** How often memory is looked at; a bomb grows by about 100 MiB in this time. */
const watchEveryMs = 100
/** The library keeps some of what it read; a child that has grown to this share of its limit is replaced when idle. */
const wornShare = 0.5
/** How much of the child's last words is kept for the log. */
const lastWordsLength = 2_000
const entry = new URL('./child-main.ts', import.meta.url)

type EndReason = 'too-slow' | 'too-much-memory' | 'aborted' | 'closed'

interface Waiting {
  readonly resolve: (answer: ChildAnswer) => void
  readonly reject: (error: unknown) => void
}

/**
 * One child that reads documents, one at a time. States: idle -> busy -> idle, and dead from both; dead is final.
 * The child may read files, but write none, start nothing and open no inspector.
 */
export class ReaderProcess {
  readonly #child: ChildProcess
  readonly #limits: ExtractionLimits
  readonly #started: Promise<void>
  #waiting: Waiting | undefined
  #dead = false
  #end: EndReason | undefined
  #lastWords = ''

  constructor(limits: ExtractionLimits, tokenCounter: TokenCounterModule | undefined) {
    this.#limits = limits
    this.#child = fork(entry, [], {
      execArgv: [`--max-old-space-size=${limits.heapLimitMiB}`, '--permission', '--allow-fs-read=*'],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    this.#child.stderr?.on('data', (data: Buffer) => {
      this.#lastWords = (this.#lastWords + data.toString('utf8')).slice(-lastWordsLength)
    })
    // Their pipe would keep the parent alive; the child itself does so while it works.
    if (this.#child.stderr instanceof Socket) this.#child.stderr.unref()
    this.#child.on('message', (answer: ChildAnswer) => this.#waiting?.resolve(answer))
    this.#child.on('error', (error) => this.#died(error.message))
    this.#child.on('exit', (code, signal) => this.#died(`exit ${code ?? signal ?? 'unknown'}`))
    this.#started = this.#ask({ kind: 'start', tokenCounter }).then(expectStarted)
    // Whoever asks first hears of a failed start; until then it must not count as unhandled.
    this.#started.catch(() => undefined)
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /** Not to be used again. A child that was killed dies a moment later, and may have answered in between. */
  get spent(): boolean {
    const memory = this.#child.pid === undefined ? undefined : residentMemoryMiB(this.#child.pid)
    return this.#dead || this.#end !== undefined || (memory ?? 0) > this.#limits.memoryLimitMiB * wornShare
  }

  /** @throws AppError of the document, or the signal's reason; after a limit or an abort the process is dead */
  async prepare(request: PrepareRequest, signal: AbortSignal | undefined): Promise<PreparedDocument> {
    signal?.throwIfAborted()
    this.#hold(true)
    const onAbort = (): void => this.#kill('aborted')
    signal?.addEventListener('abort', onAbort, { once: true })
    const clock = setTimeout(() => this.#kill('too-slow'), this.#limits.timeLimitMs)
    const watch = setInterval(() => this.#checkMemory(), watchEveryMs)
    try {
      await this.#started
      return expectPrepared(request.name, await this.#ask({ kind: 'prepare', request }))
    } catch (error) {
      if (this.#end === 'aborted') throw signal?.reason
      throw this.#dead ? this.#explain(request.name, error) : error
    } finally {
      clearTimeout(clock)
      clearInterval(watch)
      signal?.removeEventListener('abort', onAbort)
      this.#hold(false)
    }
  }

  close(): void {
    this.#kill('closed')
  }

  #ask(command: ChildCommand): Promise<ChildAnswer> {
    return new Promise<ChildAnswer>((resolve, reject) => {
      if (this.#dead) return reject(new Error(`the reader process has ended: ${this.#lastWords}`))
      this.#waiting = { resolve, reject }
      this.#child.send(command, (error) => {
        if (error !== null) reject(error)
      })
    })
  }

  #checkMemory(): void {
    const memory = this.#child.pid === undefined ? undefined : residentMemoryMiB(this.#child.pid)
    if ((memory ?? 0) > this.#limits.memoryLimitMiB) this.#kill('too-much-memory')
  }

  #kill(reason: EndReason): void {
    this.#end ??= reason
    this.#child.kill('SIGKILL')
  }

  #died(how: string): void {
    this.#dead = true
    this.#waiting?.reject(new Error(`the reader process ended (${how}): ${this.#lastWords}`))
  }

  /** An idle child does not keep its parent alive. */
  #hold(busy: boolean): void {
    if (busy) {
      this.#child.ref()
      this.#child.channel?.ref()
    } else {
      this.#child.unref()
      this.#child.channel?.unref()
    }
  }

  #explain(name: string, cause: unknown): Error {
    const outOfHeap = /heap out of memory|Allocation failed/i.test(this.#lastWords)
    if (this.#end === 'too-slow') {
      const limit = this.#limits.timeLimitMs
      const hint = `Split the document, or raise documents.extractTimeoutMs in the settings; it is ${limit} ms.`
      return unreadable(name, 'too-slow', `could not be read within ${Math.round(limit / 1000)} seconds`, {
        hint,
        cause
      })
    }
    if (this.#end === 'too-much-memory' || outOfHeap) {
      const hint = 'It may be damaged or made to exhaust memory; save it again from its source.'
      return unreadable(
        name,
        'too-much-memory',
        `needs more than ${this.#limits.memoryLimitMiB} MiB of memory to read`,
        { hint, cause }
      )
    }
    return unreadable(name, 'reader-died', 'made the document reader fail', { cause })
  }
}

function expectStarted(answer: ChildAnswer): void {
  if (answer.kind === 'started') return
  throw new Error(`the reader process could not start: ${answer.kind === 'failed' ? answer.message : answer.kind}`)
}

function expectPrepared(name: string, answer: ChildAnswer): PreparedDocument {
  if (answer.kind === 'prepared') return answer.document
  if (answer.kind === 'refused') {
    const { causeMessage, ...context } = answer.context
    throw new AppError(
      answer.code,
      causeMessage === undefined ? context : { ...context, cause: new Error(causeMessage) }
    )
  }
  const cause = new Error(answer.kind === 'failed' ? answer.message : answer.kind)
  throw unreadable(name, 'reader-died', 'made the document reader fail', { cause })
}
