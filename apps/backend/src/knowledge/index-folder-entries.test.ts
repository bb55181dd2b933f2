import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetPaths } from './forget-paths.ts'
import { IndexingBench } from './test-material/indexing-bench.ts'
import { bodiesIn, OutsideEngine } from './test-material/search-engine.ts'

let bench: IndexingBench
beforeEach(() => {
  bench = new IndexingBench()
})
afterEach(() => bench.close())

const base = { knowledgeBaseId: 'kb', tenantId: 'local', ownerUserId: 'ana' }

/** As it is composed for the command line: the entries of the index are looked at, too. */
const run = () => bench.run({}, { entries: bench.index.structured })

async function entries() {
  const listed = await bench.documents()
  const found = await Promise.all(listed.map(({ documentId }) => bench.index.entry(base, documentId)))
  return Object.fromEntries(listed.map(({ source }, at) => [source, found[at]]))
}

describe('a folder that is indexed', () => {
  it('gives each document its entry: the whole text, the attributes, one vector', async () => {
    bench.put(
      'a.md',
      '---\nknowledge_type: alarm\nproject: 结算\nerror_codes: [E1, E2]\n---\n# 网关\n\n## 步骤\n\n重启 F5'
    )
    bench.put('b.txt', 'plain words')
    await run()
    const found = await entries()
    expect(found['runbooks/a.md']).toMatchObject({
      title: '网关',
      body: '# 网关\n\n## 步骤\n\n重启 F5',
      knowledgeType: 'alarm',
      project: '结算',
      errorCodes: ['E1', 'E2'],
      createdAt: bench.now
    })
    expect(found['runbooks/b.txt']).toMatchObject({ title: 'b', body: 'plain words', knowledgeType: 'experience' })
    const [chunk] = await bench.chunksOf(found['runbooks/b.txt']!.documentId)
    const { vector } = found['runbooks/b.txt']!
    expect([...vector!].map((value) => value.toFixed(5))).toEqual([...chunk!.vector!].map((value) => value.toFixed(5)))
  })

  it('warns of a type that is not configured, and counts the document as the default one', async () => {
    bench.put('a.md', '---\nknowledge_type: runbook\n---\nwords')
    const { warnings } = await run()
    expect(warnings).toEqual([
      {
        path: 'runbooks/a.md',
        message: 'its knowledge type "runbook" is none of alarm, setup, experience; it is searched as experience'
      }
    ])
    expect((await entries())['runbooks/a.md']).toMatchObject({ knowledgeType: 'experience' })
  })

  it('replaces the entry with its document, and takes it away with it', async () => {
    bench.put('a.md', 'first words')
    bench.put('b.md', 'other words')
    await run()
    bench.put('a.md', 'second words')
    bench.remove('b.md')
    await run()
    expect(bench.index.structured.all().map(({ body }) => body)).toEqual(['second words'])
  })

  it('indexes again a document without an entry, as an earlier release has left it', async () => {
    bench.put('a.md', 'words')
    await run()
    const { documentId } = (await bench.documents())[0]!
    bench.index.structured.forget(base, documentId)
    expect(await run()).toMatchObject({ replaced: 1, unchanged: 0 })
    expect(await bench.index.entry(base, documentId)).toMatchObject({ body: 'words' })
    expect(await run()).toMatchObject({ replaced: 0, unchanged: 1 })
  })
})

describe('a search engine outside', () => {
  it('holds what the index holds when the run ends, also of what an earlier run could not copy', async () => {
    const searchEngine = new OutsideEngine()
    const copy = { index: bench.index, searchEngine }
    bench.put('a.md', 'first words')
    searchEngine.isDown = true
    await expect(bench.run({}, { copy })).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: expect.stringMatching(/^The search engine \(memory\) could not be brought up to date/)
    })
    expect(await bench.contents()).toEqual({ 'runbooks/a.md': 'first words' })
    searchEngine.isDown = false
    bench.put('b.md', 'other words')
    const phases: string[] = []
    await bench.run({ onProgress: ({ phase }) => phases.push(phase) }, { copy })
    expect([...new Set(phases)]).toEqual(['scanning', 'indexing', 'removing', 'copying', 'done'])
    expect(Object.values(bodiesIn(searchEngine, base)).toSorted()).toEqual(['first words', 'other words'])

    bench.remove('a.md')
    await bench.run({}, { copy })
    expect(Object.values(bodiesIn(searchEngine, base))).toEqual(['other words'])
    const request = {
      paths: [join(bench.folder, 'b.md')],
      knowledgeBase: base,
      dataDirectory: join(bench.scratch, 'data')
    }
    await forgetPaths(request, bench.index.writer, copy)
    expect(bodiesIn(searchEngine, base)).toEqual({})
  })
})
