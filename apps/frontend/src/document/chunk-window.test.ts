import { expect, test } from 'vitest'
import { nextTick, ref } from 'vue'
import { sampleChunks } from '../../dev/samples.ts'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import ChunkList from './chunk-list.vue'
import { useChunkWindow, WINDOW_ROWS } from './chunk-window.ts'

const [sample] = sampleChunks('d')

test('of thousands of chunks some hundred are drawn, among them the one that is chosen', async () => {
  const chunks = Array.from({ length: 4_000 }, (_each, sequence) => ({ ...sample!, chunkId: `c${sequence}`, sequence }))
  const props = { chunks, total: 4_000, phase: 'ready', problem: null, hasMore: false, selected: 'c3000' }
  const { page } = await mountPage(ChunkList, { props })
  expect(page.findAll('.chunk')).toHaveLength(WINDOW_ROWS)
  expect(page.find('.chunk[aria-pressed=true]').text()).toContain('#3,000')
  await page.findAll('.button')[0]!.trigger('click')
  await page.findAll('.button')[1]!.trigger('click')
  await settle()
  expect(page.findAll('.chunk')).toHaveLength(3 * WINDOW_ROWS)
  unmountAll()
})

test('a window grows to either end, stays where a row is in it, and says when more must be read', async () => {
  const count = ref(500)
  const { from, last, earlier, later, reveal } = useChunkWindow(() => count.value)
  reveal(199)
  expect([from.value, last.value]).toEqual([0, 200])
  reveal(300)
  expect([from.value, last.value]).toEqual([250, 450])
  expect(later()).toBe(true)
  expect(later()).toBe(false)
  count.value = 700
  await nextTick()
  expect(last.value).toBe(700)
  earlier()
  earlier()
  expect(from.value).toBe(0)
})
