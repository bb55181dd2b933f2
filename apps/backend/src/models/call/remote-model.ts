import { type ModelState, PortError } from '@oncall-agent/retrieval'
import { createEndpoint, type Endpoint, type EndpointOptions } from './endpoint.ts'
import { explainFailure } from './explain-failure.ts'
import { LastOutcome } from './last-outcome.ts'
import { postJson } from './post-json.ts'
import { RemoteFailure } from './remote-failure.ts'
import type { JsonRequest } from './send-once.ts'

/** Asks the server once; rejects with RemoteFailure. */
export type Ask = (request: JsonRequest) => Promise<unknown>

/** What an embedder and a reranker behind an address have in common: their calls, their state, and their end. */
export class RemoteModel {
  readonly #endpoint: Endpoint
  readonly #model: string
  readonly #outcome = new LastOutcome()
  readonly #closing = new AbortController()
  #warmUp: Promise<void> | undefined

  /** @throws PortError invalid-argument */
  constructor(options: EndpointOptions) {
    this.#endpoint = createEndpoint(options)
    this.#model = options.model
  }

  /** How the last call went; reading it asks nobody. */
  get state(): ModelState {
    return this.#outcome.state
  }

  /**
   * Runs work that asks the server, and keeps how it went.
   * @throws PortError; the signal's reason
   */
  async use<T>(operation: string, work: (ask: Ask) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.state === 'closed') throw this.#closed(operation)
    const closing = this.#closing.signal
    const stop = signal === undefined ? closing : AbortSignal.any([signal, closing])
    this.#outcome.started()
    try {
      const result = await work((request) => postJson(this.#endpoint, request, stop))
      this.#outcome.record('succeeded')
      return result
    } catch (thrown) {
      signal?.throwIfAborted()
      if (closing.aborted) throw this.#closed(operation)
      if (!(thrown instanceof RemoteFailure && thrown.concernsRequestOnly)) this.#outcome.record('failed')
      throw thrown instanceof RemoteFailure ? explainFailure(thrown, operation, this.#model) : thrown
    } finally {
      this.#outcome.ended()
    }
  }

  /** Runs `probe` unless the last call went well; callers at the same time share one run. */
  warm(probe: () => Promise<unknown>): Promise<void> {
    if (this.state === 'warm') return Promise.resolve()
    this.#warmUp ??= this.#probe(probe).finally(() => (this.#warmUp = undefined))
    return this.#warmUp
  }

  /** Ends what is under way. */
  close(): void {
    this.#outcome.record('closed')
    this.#closing.abort()
  }

  async #probe(probe: () => Promise<unknown>): Promise<void> {
    try {
      await probe()
    } catch (thrown) {
      // Refusing the plainest request there is says something about the server.
      this.#outcome.record('failed')
      throw thrown
    }
  }

  #closed(operation: string): PortError {
    return new PortError('closed', { operation, subject: this.#model, reason: 'the model is closed' })
  }
}
