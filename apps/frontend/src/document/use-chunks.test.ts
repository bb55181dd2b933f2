import { type ApiClient, type DocumentChunk, createApiClient } from '@oncall-agent/api-contracts'
import { describe, expect, test, vi } from 'vitest'
import { createApp, effectScope, watch } from 'vue'
import { sampleChunks } from '../../dev/samples.ts'
import { apiKey } from '../api/page-api.ts'
import { useChunks } from './use-chunks.ts'

type Answer = Awaited<ReturnType<ApiClient['documentChunks']>>
const [a, b, c] = sampleChunks('d') as [DocumentChunk, DocumentChunk, DocumentChunk]

/** The list, and the calls that it makes, answered by hand. */
function chunksByHand() {
  const calls: { cursor: unknown; answer: (page: Answer) => void }[] = []
  const documentChunks: ApiClient['documentChunks'] = (input) =>
    new Promise((answer) => calls.push({ cursor: input?.query?.cursor, answer }))
  const app = createApp({})
  app.provide(apiKey, { ...createApiClient({ baseUrl: 'http://mock.test' }), documentChunks })
  const list = app.runWithContext(() => effectScope().run(() => useChunks(() => 'd'))!)
  return { list, calls }
}
const page = (items: readonly DocumentChunk[], nextCursor: string | null): Answer => ({ items, nextCursor, total: 3 })

describe('chunks, page by page', () => {
  test('begun again, an old answer that comes last changes nothing', async () => {
    const { list, calls } = chunksByHand()
    const asked = [list.restart(), list.restart()]
    calls[1]!.answer(page([b], null))
    calls[0]!.answer(page([a], 'more'))
    expect(await Promise.all(asked)).toEqual([false, true])
    expect([list.chunks.value, list.hasMore.value, list.phase.value]).toEqual([[b], false, 'ready'])
  })

  test('a next page that comes after a new beginning is not added to it', async () => {
    const { list, calls } = chunksByHand()
    const first = list.restart()
    calls[0]!.answer(page([a], 'two'))
    await first
    const asked = [list.more(), list.restart()]
    calls[2]!.answer(page([c], null))
    calls[1]!.answer(page([b], null))
    expect(await Promise.all(asked)).toEqual([false, true])
    expect(list.chunks.value).toEqual([c])
  })

  test('two that want the next page at once get it once, and a search goes on behind it', async () => {
    const { list, calls } = chunksByHand()
    const first = list.restart()
    calls[0]!.answer(page([a], 'two'))
    await first
    const found = list.find(c.chunkId)
    const more = [list.more(), list.more()]
    calls[1]!.answer(page([b], 'three'))
    expect(await Promise.all(more)).toEqual([true, true])
    expect(calls.map(({ cursor }) => cursor)).toEqual([undefined, 'two', 'three'])
    calls[2]!.answer(page([c], null))
    expect(await found).toEqual(c)
    expect(list.chunks.value).toEqual([a, b, c])
    expect(await list.find('nowhere')).toBeNull()
  })

  test('a search through many pages shows them together, once, and asks for no page behind the chunk', async () => {
    const { list, calls } = chunksByHand()
    const first = list.restart()
    calls[0]!.answer(page([a], 'two'))
    await first
    let shown = 0
    watch(list.chunks, () => shown++, { flush: 'sync' })
    const found = list.find(c.chunkId)
    calls[1]!.answer(page([b], 'three'))
    await vi.waitFor(() => expect(calls).toHaveLength(3))
    expect([list.chunks.value, shown]).toEqual([[a], 0])
    calls[2]!.answer(page([c], 'four'))
    expect(await found).toEqual(c)
    expect([list.chunks.value, shown, list.hasMore.value, calls.length]).toEqual([[a, b, c], 1, true, 3])
  })
})
