import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noForm, ServiceBench } from '../test-material/service-bench.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterAll(() => bench.close())

describe('a knowledge base', () => {
  it('is made, renamed and described by its owner; a name is theirs once', async () => {
    const caller = await bench.person()
    const made = await bench.service.createBase(caller, { name: '运行手册', description: 'all' })
    expect(made).toMatchObject({
      name: '运行手册',
      access: 'owner',
      origin: 'uploads',
      ownerUserId: caller.userId,
      documents: { total: 0, indexed: 0, indexing: 0, pending: 0, failed: 0 }
    })
    const other = await bench.service.createBase(caller, { name: 'other', description: '' })
    for (const rename of [
      () => bench.service.createBase(caller, { name: '运行手册', description: '' }),
      () => bench.service.changeBase(caller, other.id, { name: '运行手册' })
    ]) {
      await expect(rename()).rejects.toMatchObject({ code: 'CONFLICT', details: { knowledgeBaseId: made.id } })
    }
    const changed = await bench.service.changeBase(caller, made.id, { name: '运行手册', description: 'some' })
    expect(changed).toMatchObject({ id: made.id, description: 'some' })
    expect((await bench.service.changeBase(caller, made.id, { name: 'renamed' })).description).toBe('some')
    await bench.service.createBase(await bench.person(), { name: 'renamed', description: '' })
  })

  it('counts its documents by what became of them', async () => {
    const of = await bench.owner()
    await bench.indexed(of, 'a.md', 'words')
    await bench.upload(of, ['b.md', 'never asked to be indexed'])
    const { task } = await bench.upload(of, ['c.md', '# only a heading'], { ...noForm, index: true })
    await bench.ended(task!.id)
    expect((await bench.service.base(of.caller, of.baseId)).documents).toEqual({
      total: 3,
      indexed: 1,
      indexing: 0,
      pending: 1,
      failed: 1
    })
  })

  it('is listed with the others, newest first, page by page, also when all were made in one millisecond', async () => {
    const caller = await bench.person()
    const names = Array.from({ length: 7 }, (_, at) => `base ${at}`)
    for (const name of names) await bench.service.createBase(caller, { name, description: '' })
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await bench.service.bases(caller, { limit: 3, cursor })
      expect(page.total).toBe(7)
      seen.push(...page.items.map(({ name }) => name))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(names.toReversed())
    const nonsense = bench.service.bases(caller, { limit: 3, cursor: 'nonsense' })
    await expect(nonsense).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})
