import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StructuredEntry } from '@oncall-agent/retrieval'
import { entryOf } from '@oncall-agent/retrieval/conformance'
import { MARKED } from '../test-support/marked-document.ts'
import { withIndex } from '../test-support/temporary-index.ts'

const everything = { pairs: [MARKED], filters: {}, mode: 'all' as const, clauses: [], titleBoost: 1, from: 0, size: 0 }

async function* entries(count: number, then: () => Promise<void> = async () => {}): AsyncGenerator<StructuredEntry> {
  for (let number = 0; number < count; number++) yield entryOf(MARKED, `d${number}`, { body: 'disk' })
  await then()
}

describe('rebuilding the entries of an index', () => {
  it('takes more entries than a message holds, and shows the old ones until it is done', async () => {
    await withIndex(async (open) => {
      const index = await open()
      await index.structured.replaceDocument(entryOf(MARKED, 'old'))
      const totals: number[] = []
      const look = async () => void totals.push((await index.structured.match(everything)).total)
      await index.structured.rebuild(entries(300, look))
      await look()
      expect(totals).toEqual([1, 300])
    })
  })

  it('ends when the index is closed meanwhile, and has then changed nothing', async () => {
    await withIndex(async (open) => {
      const index = await open()
      await index.structured.replaceDocument(entryOf(MARKED, 'old'))
      const rebuilding = index.structured.rebuild(entries(100, () => index.close()))
      await expect(rebuilding).rejects.toMatchObject({ failure: 'closed' })
      expect((await (await open()).structured.match(everything)).total).toBe(1)
    })
  })

  it('does not keep an index from being closed though its source gives nothing', async () => {
    await withIndex(async (open) => {
      const index = await open()
      const { promise: stalled, resolve: end } = Promise.withResolvers<void>()
      const rebuilding = index.structured.rebuild(entries(1, () => stalled))
      rebuilding.catch(() => {})
      await sleep(20)
      await index.close()
      end()
      await expect(rebuilding).rejects.toMatchObject({ failure: 'closed' })
    })
  })
})
