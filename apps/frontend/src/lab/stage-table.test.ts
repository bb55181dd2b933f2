import { afterEach, expect, test } from 'vitest'
import { mountPage, unmountAll } from '../test-material/mount-page.ts'
import { compareStages } from './compare-runs.ts'
import { type LabRun, runOfAnswer, type StageTrace } from './lab-run.ts'
import StageTable from './stage-table.vue'

afterEach(unmountAll)

const stages: readonly StageTrace[] = [
  { name: 'embed', status: 'ok', tookMs: 4, candidates: 1, engine: 'e' },
  { name: 'rerank', status: 'skipped', tookMs: 0, candidates: 0, engine: 'r' }
]

test('a stage that was skipped took no time: a dash, and no bar', async () => {
  const { page } = await mountPage(StageTable, { props: { stages } })
  const [ran, skipped] = page.findAll('tbody tr')
  expect([ran!.text().includes('4 ms'), ran!.find('.bar').exists()]).toEqual([true, true])
  expect(skipped!.findAll('td.number').map((cell) => cell.text())).toEqual(['–', '–'])
  expect(skipped!.find('.bar').exists()).toBe(false)
})

test('nor is it 0 ms in a comparison', () => {
  const run: LabRun = runOfAnswer(
    { query: 'q', topK: 5, results: [], citations: [], stages: [...stages], runId: 'run-1' },
    [],
    0
  )
  expect(compareStages(run, run)).toEqual([
    { name: 'embed', first: 4, second: 4 },
    { name: 'rerank', first: null, second: null }
  ])
})
