import { documentOf, plainChunks } from '@oncall-agent/retrieval/conformance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noForm, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'
import { compareFactsWithIndex, repairDifferences } from './compare-facts-with-index.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterAll(() => bench.close())

describe('facts and index', () => {
  it('differ in nothing when all went well, and are not compared where a folder is the fact', async () => {
    const of = await bench.owner()
    await bench.indexed(of, 'a.md', 'well words')
    await bench.upload(of, ['b.md', 'never indexed'])
    const gone = await bench.indexed(of, 'c.md', 'deleted words')
    await bench.service.deleteDocument(of.caller, gone)
    const local = await bench.store.knowledgeBases.ensure('local', 'default')
    const pair = { tenantId: 'local', knowledgeBaseId: local.id }
    const { dimension } = bench.embedder.fingerprint
    await bench.index.writer.replaceDocument(documentOf(pair, 'of-a-folder'), plainChunks(['x'], dimension))
    expect(await compareFactsWithIndex(bench.store, bench.index.writer)).toEqual([])
  })

  it('do not differ in what is still being deleted', async () => {
    const of = await bench.owner()
    const pair = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
    const document = await bench.indexed(of, 'purged.md', 'words to be purged')
    const { dimension } = bench.embedder.fingerprint
    await bench.service.deleteBase(of.caller, of.baseId)
    // As if the engine had been out of reach when the base was deleted: its purge has not run yet.
    await bench.store.jobs.enqueue({
      kind: 'purge-knowledge-base',
      tenantId: pair.tenantId,
      subject: pair.knowledgeBaseId,
      maxAttempts: 9,
      now: Date.now(),
      dueAt: Date.now() + 3_600_000
    })
    await bench.index.writer.replaceDocument(documentOf(pair, document), plainChunks(['purged'], dimension))
    expect(await compareFactsWithIndex(bench.store, bench.index.writer)).toEqual([])
    await bench.index.writer.deleteDocument(pair, document)
  })

  it('are brought together again, whatever stands between them', async () => {
    const of = await bench.owner()
    const pair = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
    const { writer } = bench.index
    const { dimension } = bench.embedder.fingerprint
    const put = (id: string, version: number, contents: readonly string[]) =>
      writer.replaceDocument(documentOf(pair, id, { version }), plainChunks(contents, dimension))

    const missing = await bench.indexed(of, 'missing.md', 'drifted words 1')
    await writer.deleteDocument(pair, missing)
    const older = await bench.indexed(of, 'older.md', 'drifted words 2')
    await put(older, 7, ['other words'])
    const short = await bench.indexed(of, 'short.md', 'drifted words 3')
    await put(short, 1, ['drifted', 'twice'])
    const deleted = await bench.indexed(of, 'deleted.md', 'drifted words 4')
    await bench.service.deleteDocument(of.caller, deleted)
    await bench.idle()
    await put(deleted, 1, ['back again'])
    const never = await bench.upload(of, ['never.md', 'drifted words 5'])
    await put(never.document.id, 1, ['never recorded'])
    await put('nobody', 1, ['of nobody'])

    const differences = await compareFactsWithIndex(bench.store, writer)
    expect(Object.fromEntries(differences.map(({ documentId, kind, repair }) => [documentId, [kind, repair]]))).toEqual(
      {
        [missing]: ['missing', 'index-again'],
        [older]: ['version', 'index-again'],
        [short]: ['chunks', 'index-again'],
        [deleted]: ['deleted', 'remove-from-index'],
        [never.document.id]: ['extra', 'remove-from-index'],
        nobody: ['extra', 'remove-from-index']
      }
    )
    for (const { found } of differences) expect(found).toMatch(/^[A-Z].*\.$/)

    expect(await repairDifferences(bench.parts, differences)).toBe(6)
    await bench.idle()
    expect(await compareFactsWithIndex(bench.store, writer)).toEqual([])
    const found = await bench.found(of.caller, of.baseId, 'drifted')
    expect(found.toSorted()).toEqual(['drifted words 1', 'drifted words 2', 'drifted words 3'])
  })

  it('are not compared for a document that is being indexed', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'first')
    await bench.index.writer.deleteDocument({ ...of.caller, knowledgeBaseId: of.baseId }, id)
    const gate = Promise.withResolvers<void>()
    bench.embedder.fault = () => gate.promise
    const { task } = await bench.service.replace(of.caller, id, noForm, await bench.receive('a.md', 'second'))
    expect(await compareFactsWithIndex(bench.store, bench.index.writer)).toEqual([])
    gate.resolve()
    bench.embedder.fault = undefined
    await bench.ended(task!.id)
    await bench.upload(of, ['b.md', 'b'], toBeIndexed)
  })
})
