import { rmSync, writeFileSync } from 'node:fs'
import type { DocumentsQuery } from '@oncall-agent/api-contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceBench } from '../test-material/service-bench.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterAll(() => bench.close())

describe('the documents of a base', () => {
  it('are found by a part of name or title, in any case of any script, and by state', async () => {
    const of = await bench.owner()
    await bench.indexed(of, 'a.md', '# ÉCLAIR Überlauf\n\ntext a\n')
    await bench.upload(of, ['100%_disk.md', 'text b'])
    await bench.upload(of, ['磁盘 Disk.md', 'text c'])
    const names = async (query: Partial<DocumentsQuery>) => {
      const { items, total } = await bench.service.documents(of.caller, of.baseId, { limit: 10, ...query })
      expect(total).toBe(items.length)
      return items.map(({ fileName }) => fileName)
    }
    expect(await names({})).toEqual(['磁盘 Disk.md', '100%_disk.md', 'a.md'])
    expect(await names({ name: 'éclair über' })).toEqual(['a.md'])
    expect(await names({ name: 'e\u0301CLAIR' })).toEqual(['a.md'])
    expect(await names({ name: 'DISK' })).toEqual(['磁盘 Disk.md', '100%_disk.md'])
    expect(await names({ name: '%_' })).toEqual(['100%_disk.md'])
    expect(await names({ name: '磁盘' })).toEqual(['磁盘 Disk.md'])
    expect(await names({ name: "'; --" })).toEqual([])
    expect(await names({ indexStatus: 'indexed' })).toEqual(['a.md'])
    expect(await names({ indexStatus: 'pending', name: 'disk' })).toHaveLength(2)
  })
})

describe('the chunks of a document', () => {
  it('come in order, page by page, and are the text that they point at', async () => {
    const of = await bench.owner()
    const parts = Array.from({ length: 9 }, (_, at) => `# Part ${at}\n\n${`word${at} `.repeat(400)}`)
    const id = await bench.indexed(of, 'long.md', parts.join('\n\n'))
    const { chunkCount } = await bench.service.document(of.caller, id)
    const { text } = await bench.service.text(of.caller, id, undefined)
    const sequences: number[] = []
    let cursor: string | undefined
    do {
      const page = await bench.service.chunks(of.caller, id, { limit: 4, cursor })
      expect(page.total).toBe(chunkCount)
      for (const { start, end, headingPath, sequence } of page.items) {
        expect(text.slice(start, end).trim()).not.toBe('')
        expect(headingPath).toHaveLength(1)
        sequences.push(sequence)
      }
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(sequences).toEqual(Array.from({ length: chunkCount }, (_, at) => at))
    expect(chunkCount).toBeGreaterThan(8)
  })

  it('are none, and there is no text, before it was indexed', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'text'])
    expect(await bench.service.chunks(of.caller, document.id, { limit: 5 })).toEqual({
      items: [],
      nextCursor: null,
      total: 0
    })
    const text = bench.service.text(of.caller, document.id, undefined)
    await expect(text).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('not indexed') })
    const version = bench.service.text(of.caller, document.id, 7)
    await expect(version).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('7') })
  })
})

describe('a stored file', () => {
  it('that was damaged or taken away from under the service is told as that', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'the text as it was'])
    const { path } = await bench.service.content(of.caller, document.id)
    writeFileSync(path, 'another text as it')
    const task = await bench.service.createTask(of.caller, document.id)
    expect(await bench.ended(task.id)).toMatchObject({ status: 'failed', reason: { code: 'DATA_CORRUPT' } })
    writeFileSync(path, 'short')
    await expect(bench.service.content(of.caller, document.id)).rejects.toMatchObject({ code: 'DATA_CORRUPT' })
    rmSync(path)
    await expect(bench.service.content(of.caller, document.id)).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    const again = await bench.service.createTask(of.caller, document.id)
    const { reason } = await bench.ended(again.id)
    expect(reason).toEqual({ code: 'SYSTEM_UNAVAILABLE', message: 'The stored file of a.md could not be read.' })
  })
})
