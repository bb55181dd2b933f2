import { AppError, type McpHealth } from '@oncall-agent/api-contracts'
import type { StoredMcpServer } from '../../store/index.ts'
import type { ConnectionParts, ServerCall, UseOptions } from './connection-parts.ts'
import type { ToolList } from './list-tools.ts'
import { keepOpen, type KeptOpen, type Opened } from './keep-open.ts'

/** One server as it is reached now, with its connection if there is one. Once closed it is never opened again. */
export class HeldServer {
  readonly #server: StoredMcpServer
  readonly #parts: ConnectionParts
  readonly #kept: KeptOpen
  #users = 0
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(server: StoredMcpServer, parts: ConnectionParts) {
    this.#server = server
    this.#parts = parts
    this.#kept = keepOpen(server, parts, () => this.#users > 0)
  }

  get health(): McpHealth {
    return this.#kept.health()
  }

  async tools(how: UseOptions): Promise<ToolList> {
    const { serverFailure } = await sdkClient()
    const limitMs = this.#parts.connectTimeoutMs
    return this.#use(how, async ({ connection }) => {
      try {
        const tools = await orAborted(connection.tools(), how.signal)
        this.#kept.wentWell(leftOutMessage(tools))
        return tools
      } catch (cause) {
        how.signal.throwIfAborted()
        const failure = serverFailure(cause, { operation: 'list tools', subject: this.#server.name, limitMs })
        this.#kept.wentWrong(failure)
        // Others may be served well; alone, the next one is better off with a new connection.
        if (this.#users === 1) await this.#kept.letGo()
        throw failure
      }
    })
  }

  async call({ tool, input }: ServerCall, signal: AbortSignal): Promise<string> {
    const { refusedArguments, serverFailure, toolAnswer } = await sdkClient()
    const { name: subject, timeoutMs: limitMs } = this.#server
    return this.#use({ signal }, async ({ connection, secrets }) => {
      try {
        return toolAnswer(await connection.call(tool, input, signal), tool, secrets)
      } catch (cause) {
        signal.throwIfAborted()
        const refused = refusedArguments(cause, tool, secrets)
        throw refused ?? serverFailure(cause, { operation: 'call tool', subject, limitMs })
      }
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#idle)
    await this.#kept.letGo()
  }

  async #use<T>({ signal, anew = false }: UseOptions, work: (opened: Opened) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    this.#users += 1
    clearTimeout(this.#idle)
    try {
      if (anew && this.#users === 1) await this.#kept.letGo()
      return await this.#workOrAgain(signal, anew, work)
    } catch (thrown) {
      signal.throwIfAborted()
      // What was under way ends in whatever manner; why is known.
      throw this.#closed ? changedMeanwhile(this.#server.name) : thrown
    } finally {
      this.#users -= 1
      if (this.#users === 0 && !this.#closed)
        this.#idle = setTimeout(() => void this.#kept.letGo(), this.#parts.idleMs).unref()
    }
  }

  /** A server that was started anew knows nothing of its session, and has done nothing with what was asked. */
  async #workOrAgain<T>(signal: AbortSignal, anew: boolean, work: (opened: Opened) => Promise<T>): Promise<T> {
    const { isSessionOver } = await sdkClient()
    try {
      return await work(await this.#opened(anew, signal))
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof AppError) || !isSessionOver(thrown.cause)) throw thrown
      await this.#kept.letGo()
      return await work(await this.#opened(true, signal))
    }
  }

  /** Nothing was awaited between the look at what may have come meanwhile and the opening. */
  #opened(now: boolean, signal: AbortSignal): Promise<Opened> {
    signal.throwIfAborted()
    if (this.#closed) throw changedMeanwhile(this.#server.name)
    return orAborted(this.#kept.opened(now), signal)
  }
}

/** Loaded with the first use of any server: nobody else pays for the SDK. */
export const sdkClient = () => import('./sdk-client.ts')

function leftOutMessage({ leftOut }: ToolList): string {
  if (leftOut === 0) return ''
  return `${leftOut} of its tools can not be used: too many, too large, or with a name that is not allowed.`
}

export function changedMeanwhile(subject: string): AppError {
  const message = 'The tool server was changed or taken away meanwhile.'
  return new AppError('SYSTEM_UNAVAILABLE', { operation: 'use tool server', subject, message })
}

/** What is shared with others goes on when one of them has given up. */
function orAborted<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    // One that is aborted already tells nobody any more.
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    const forget = () => signal.removeEventListener('abort', abort)
    shared.then(resolve, reject).finally(forget).catch(reject)
  })
}
