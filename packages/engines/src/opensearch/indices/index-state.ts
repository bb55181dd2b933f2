import { PortError } from '@oncall-agent/retrieval'
import type { EmbedderFingerprint } from '@oncall-agent/retrieval'
import type { EngineConnection } from '../connection/index.ts'
import type { Dialect, EngineServer } from '../dialects/index.ts'
import { checkMarks } from './check-marks.ts'
import { markOf } from './mapping.ts'
import { readIndices } from './read-indices.ts'

export interface IndexStateOptions {
  readonly connection: EngineConnection
  readonly dialect: Dialect
  readonly aliases: readonly string[]
  readonly fingerprint: EmbedderFingerprint
}

/** What is known of the engine and of the indices in it. Asked once, and again when an answer names an unknown index. */
export class IndexState {
  readonly #options: IndexStateOptions
  #server: Promise<EngineServer> | undefined
  #known: Promise<ReadonlySet<string>> | undefined

  constructor(options: IndexStateOptions) {
    this.#options = options
  }

  /** @throws PortError `unavailable` when it is not the engine that was configured */
  server(): Promise<EngineServer> {
    return (this.#server ??= this.#askServer().catch((error: unknown) => {
      this.#server = undefined
      throw error
    }))
  }

  /** @throws PortError `unavailable` without a hint of its own but to rebuild; `corrupt`, `newer-format`, `model-mismatch` */
  async ready(): Promise<void> {
    await this.#indices()
  }

  /** Holds indices that an answer came from against what is known. */
  async check(indices: readonly string[]): Promise<void> {
    const known = await this.#indices()
    if (indices.every((index) => known.has(index))) return
    this.forget()
    await this.#indices()
  }

  /** To be called when the indices were changed. */
  forget(): void {
    this.#known = undefined
  }

  #indices(): Promise<ReadonlySet<string>> {
    return (this.#known ??= this.#askIndices().catch((error: unknown) => {
      this.#known = undefined
      throw error
    }))
  }

  async #askIndices(): Promise<ReadonlySet<string>> {
    const { connection, aliases, fingerprint } = this.#options
    await this.server()
    const found = await readIndices(connection, aliases)
    checkMarks(aliases, found, markOf(fingerprint))
    return new Set(found.map(({ name }) => name))
  }

  async #askServer(): Promise<EngineServer> {
    const { connection, dialect } = this.#options
    const answer = await connection.call({ operation: 'open index', method: 'GET', path: '/' })
    const server = dialect.serverOf(answer)
    if (server !== null) return server
    throw new PortError('unavailable', {
      operation: 'open index',
      subject: connection.hosts,
      reason: `what answers there is not ${dialect.requirement}`,
      hint: 'Check `search.engine` and `search.url`.'
    })
  }
}
