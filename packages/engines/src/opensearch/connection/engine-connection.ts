import { PortError } from '@oncall-agent/retrieval'
import type { Client } from '@opensearch-project/opensearch'
import { hostsOf } from './addresses.ts'
import { sendOnce } from './send-once.ts'
import type { Attempt, EngineAnswer } from './send-once.ts'
import { EngineFault, isTransient } from './engine-fault.ts'
import { pause } from './pause.ts'
import { portErrorOf } from './port-error-of.ts'

export interface ConnectionOptions {
  readonly addresses: readonly string[]
  readonly username?: string
  readonly password?: string
  readonly apiKey?: string
  readonly timeoutMs: number
  readonly retries: number
}

export interface EngineCall extends Omit<Attempt, 'timeoutMs'> {
  /** What is tried, as an error names it. */
  readonly operation: string
  /** Of one attempt; the connection's own unless said otherwise. */
  readonly timeoutMs?: number
  /** Looks at an answer that came with a good status. */
  readonly faultOf?: (answer: EngineAnswer) => EngineFault | undefined
  /** A fault that says that all is well: an earlier attempt did it, and only its answer was lost. */
  readonly accepts?: (fault: EngineFault) => boolean
}

/** Milliseconds before the first further attempt; each later one waits twice as long, up to the longest. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** Calls to one engine: each bounded in time and attempts, each failure typed. Dials with the first call. */
export class EngineConnection {
  readonly timeoutMs: number
  readonly retries: number
  readonly hosts: string
  readonly #options: ConnectionOptions
  readonly #closing = new AbortController()
  #client: Promise<Client> | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.timeoutMs = options.timeoutMs
    this.retries = options.retries
    this.hosts = hostsOf(options.addresses)
  }

  /**
   * May send the same request several times: every request here is one that may be.
   * @throws PortError; the signal's reason when it is aborted
   */
  async call(call: EngineCall, signal?: AbortSignal): Promise<EngineAnswer> {
    const { operation, timeoutMs = this.timeoutMs, faultOf, accepts, ...rest } = call
    for (let attempt = 0; ; attempt++) {
      this.throwIfOver(operation, signal)
      const outcome = await this.#try({ ...rest, timeoutMs }, faultOf, signal)
      this.throwIfOver(operation, signal)
      if (!(outcome instanceof EngineFault)) return outcome
      if (accepts?.(outcome) === true) return { body: undefined, headers: {} }
      if (attempt >= this.retries || !isTransient(outcome)) {
        throw portErrorOf(outcome, { operation, subject: this.hosts, timeoutMs })
      }
      await this.pause(attempt, signal)
    }
  }

  /** Before the attempt behind this one, counted from 0. Ends early when all is over. */
  async pause(attempt: number, signal?: AbortSignal): Promise<void> {
    await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt), [this.#closing.signal, signal])
  }

  /** @throws the signal's reason, PortError `closed` */
  throwIfOver(operation: string, signal?: AbortSignal): void {
    signal?.throwIfAborted()
    if (!this.#closing.signal.aborted) return
    throw new PortError('closed', { operation, subject: this.hosts, reason: 'the index was closed' })
  }

  /** What is under way fails with `closed`. May be called again. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort()
    // Its second close would wait for ever.
    await (await this.#client)?.close()
  }

  async #try(
    attempt: Attempt,
    faultOf: EngineCall['faultOf'],
    signal: AbortSignal | undefined
  ): Promise<EngineAnswer | EngineFault> {
    const client = await (this.#client ??= this.#connect())
    const outcome = await sendOnce(client, attempt, [this.#closing.signal, signal])
    return outcome instanceof EngineFault ? outcome : (faultOf?.(outcome) ?? outcome)
  }

  async #connect(): Promise<Client> {
    // The embedded index needs none of it.
    const { Client: EngineClient } = await import('@opensearch-project/opensearch')
    const { addresses, username, password, apiKey } = this.#options
    return new EngineClient({
      nodes: [...addresses],
      // Attempts are counted here, where they are also spaced out.
      maxRetries: 0,
      ...(apiKey === undefined ? {} : { headers: { authorization: `ApiKey ${apiKey}` } }),
      ...(username === undefined || password === undefined ? {} : { auth: { username, password } })
    })
  }
}
