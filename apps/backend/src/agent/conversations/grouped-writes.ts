import type { BusinessStore, BusinessTables } from '../../store/index.ts'

/**
 * Works of one transaction: a commit waits for the disk, and holds the thread so long. Questions that come at the same
 * moment share a few commits, and between two of them everything that streams has its turn.
 */
const WORKS_AT_ONCE = 10

interface WaitingWork {
  readonly work: (tables: BusinessTables) => Promise<unknown>
  readonly resolve: (result: never) => void
  readonly reject: (cause: unknown) => void
}

/** Writes of many requests, a few in one transaction, in the order in which they came. */
export class GroupedWrites {
  readonly #store: Pick<BusinessStore, 'transaction'>
  #waiting: WaitingWork[] = []
  #isBusy = false

  constructor(store: Pick<BusinessStore, 'transaction'>) {
    this.#store = store
  }

  /** Resolves when it is committed. What one work throws it alone gets. */
  do<Result>(work: (tables: BusinessTables) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as WaitingWork['resolve'], reject })
      this.#next()
    })
  }

  #next(): void {
    if (this.#isBusy || this.#waiting.length === 0) return
    this.#isBusy = true
    setImmediate(async () => {
      const works = this.#waiting.slice(0, WORKS_AT_ONCE)
      this.#waiting = this.#waiting.slice(WORKS_AT_ONCE)
      await this.#write(works)
      this.#isBusy = false
      this.#next()
    })
  }

  async #write(works: readonly WaitingWork[]): Promise<void> {
    try {
      const results = await this.#store.transaction(async (tables) => {
        const done: unknown[] = []
        for (const { work } of works) done.push(await work(tables))
        return done
      })
      for (const [index, { resolve }] of works.entries()) resolve(results[index] as never)
    } catch (cause) {
      if (works.length === 1) works[0]!.reject(cause)
      // Nothing of them is stored. One may have spoiled it for the others: each by itself.
      else for (const each of works) await this.#write([each])
    }
  }
}
