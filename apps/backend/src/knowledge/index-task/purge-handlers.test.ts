import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceBench } from '../test-material/service-bench.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let now = Date.now()
let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open({ now: () => now })
})
afterAll(() => bench.close())

describe('what is left of deleted documents', () => {
  it('is their row and their tasks for ninety days, and then nothing', async () => {
    const of = await bench.owner()
    const old = await bench.indexed(of, 'a.md', 'old words')
    const [task] = (await bench.service.documentTasks(of.caller, old, { limit: 1 })).items
    await bench.service.deleteDocument(of.caller, old)
    await bench.idle()

    const purge = async (days: number) => {
      now += days * DAY_MS
      const id = await bench.indexed(of, `${days}.md`, `words ${days}`)
      await bench.service.deleteDocument(of.caller, id)
      await bench.idle()
    }
    await purge(89)
    expect(await bench.store.documents.find(old)).toMatchObject({ status: 'deleted' })
    expect(await bench.service.task(of.caller, task!.id)).toMatchObject({ status: 'succeeded' })
    await purge(2)
    expect(await bench.store.documents.find(old)).toBeUndefined()
    await expect(bench.service.task(of.caller, task!.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
