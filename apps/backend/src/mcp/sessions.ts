import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'

/** Milliseconds without a request after which a session is over; its client begins another one. */
const IDLE_MS = 1_800_000
/** Sessions of one key, and of all: each takes some kilobytes. The one that was used longest ago goes first. */
const KEY_LIMIT = 32
const LIMIT = 1_024

export interface Session {
  /** Of the key that began it; no other key may use it. */
  readonly keyId: string
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Ends the waiting for a request that was cancelled: nothing answers it any more. By its id. */
  readonly waiting: Map<string | number, () => void>
}

/** Sessions by their ids, the one that was used last at the end. */
export class Sessions {
  readonly #sessions = new Map<string, { readonly session: Session; usedAt: number }>()
  readonly #now: () => number

  /** @param now milliseconds of a clock that only goes forward */
  constructor(now: () => number) {
    this.#now = now
  }

  get size(): number {
    return this.#sessions.size
  }

  add(id: string, session: Session): void {
    this.#sessions.set(id, { session, usedAt: this.#now() })
    const ofKey = [...this.#sessions].filter(([, each]) => each.session.keyId === session.keyId)
    for (const [oldest] of ofKey.slice(0, Math.max(0, ofKey.length - KEY_LIMIT))) this.end(oldest)
    for (const oldest of [...this.#sessions.keys()].slice(0, Math.max(0, this.size - LIMIT))) this.end(oldest)
  }

  /** Undefined also for another key's. */
  use(id: string, keyId: string): Session | undefined {
    this.#endIdle()
    const found = this.#sessions.get(id)
    if (found === undefined || found.session.keyId !== keyId) return undefined
    this.#sessions.delete(id)
    this.#sessions.set(id, { ...found, usedAt: this.#now() })
    return found.session
  }

  end(id: string): void {
    const found = this.#sessions.get(id)
    this.#sessions.delete(id)
    if (found !== undefined) void close(found.session)
  }

  async close(): Promise<void> {
    const all = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(all.map(({ session }) => close(session)))
  }

  #endIdle(): void {
    const before = this.#now() - IDLE_MS
    for (const [id, { usedAt }] of this.#sessions) if (usedAt < before) this.end(id)
  }
}

async function close({ server, waiting }: Session): Promise<void> {
  await server.close()
  for (const settle of waiting.values()) settle()
}
