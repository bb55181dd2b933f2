import { describe, expect, it } from 'vitest'
import { inTemporaryFolder, testFingerprint } from '../test-support/temporary-index.ts'
import { ReaderPool } from './reader-pool.ts'

const module = new URL('../test-support/awkward-reader.ts', import.meta.url)
const scope = { pairs: [] }
const endless = { tokens: ['x'], scope, limit: 1 }

async function withPool(readers: number, work: (pool: ReaderPool) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (directory) => {
    const pool = new ReaderPool({ directory, fingerprint: testFingerprint, busyTimeoutMs: 100, readers, module })
    try {
      await work(pool)
    } finally {
      await pool.close()
    }
  })
}

describe('the pool of reader threads', () => {
  it('fails the call of a thread that dies as unavailable, and starts a new one for the next call', async () => {
    await withPool(1, async (pool) => {
      const dying = pool.call('warm', null)
      const waiting = pool.call('totals', null)
      await expect(dying).rejects.toMatchObject({ failure: 'unavailable', operation: 'ask index thread' })
      expect(await waiting).toEqual({ documents: 0, chunks: 0, revision: 0 })
      expect(await pool.call('totals', null)).toEqual({ documents: 0, chunks: 0, revision: 0 })
    })
  })

  it('takes the lock on the rows from a thread that died with it, so that the others go on', async () => {
    await withPool(2, async (pool) => {
      await expect(pool.warm()).rejects.toMatchObject({ failure: 'unavailable' })
      const both = await Promise.all([pool.call('totals', null), pool.call('totals', null)])
      expect(both).toHaveLength(2)
    })
  })

  it('drops a call that is aborted while it waits, and stops one that is aborted while it runs', async () => {
    await withPool(1, async (pool) => {
      const [first, second] = [new AbortController(), new AbortController()]
      const running = pool.call('lexical', endless, first.signal)
      const waiting = pool.call('lexical', endless, second.signal)
      second.abort(new Error('the second caller left'))
      await expect(waiting).rejects.toBe(second.signal.reason)
      first.abort(new Error('the first caller left'))
      await expect(running).rejects.toBe(first.signal.reason)
      // The one thread is free again, which it is only if both calls are really over.
      expect(await pool.call('totals', null)).toMatchObject({ revision: 0 })
    })
  })

  it('rejects at once when the signal is aborted already', async () => {
    await withPool(1, async (pool) => {
      const signal = AbortSignal.abort(new Error('gone'))
      await expect(pool.call('totals', null, signal)).rejects.toBe(signal.reason)
    })
  })

  it('hands on a fault of the thread as a typed error that names it', async () => {
    await withPool(1, async (pool) => {
      await expect(pool.call('statistics', { terms: [], scope })).rejects.toMatchObject({
        failure: 'unavailable',
        operation: 'statistics',
        message: expect.stringContaining('a fault of this package')
      })
    })
  })

  it('ends running and waiting calls as closed when it is closed, and can be closed twice', async () => {
    await withPool(1, async (pool) => {
      const running = pool.call('lexical', endless)
      const waiting = pool.call('totals', null)
      const ended = Promise.allSettled([running, waiting])
      await pool.close()
      await pool.close()
      expect(await ended).toMatchObject([{ reason: { failure: 'closed' } }, { reason: { failure: 'closed' } }])
      await expect(pool.call('totals', null)).rejects.toMatchObject({ failure: 'closed' })
    })
  })
})
