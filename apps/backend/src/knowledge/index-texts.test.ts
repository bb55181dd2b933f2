import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type IndexTextsRequest, indexTexts } from './index-texts.ts'
import { IndexingBench } from './test-material/indexing-bench.ts'

let bench: IndexingBench
beforeEach(() => {
  bench = new IndexingBench()
})
afterEach(() => bench.close())

const documents = [
  { id: 'doc#1', title: 'Disk', text: '# Steps\n\nFree **space**.\n\n# Later\n\nRotate logs.', lang: 'en' },
  { id: 'doc/2', title: '磁盘', text: '清理空间', lang: 'zh' }
]
const index = (request: Partial<IndexTextsRequest> = {}) =>
  indexTexts(
    {
      documents,
      knowledgeBase: { knowledgeBaseId: 'kb', tenantId: 'local', ownerUserId: 'ana' },
      chunking: 'product',
      ...request
    },
    bench.dependencies()
  )

async function* stream() {
  yield { id: 'blank', title: 'B', text: ' \n' }
  yield { id: 'last', title: 'L', text: 'words' }
}

describe('indexing texts', () => {
  it("as the product does: read as Markdown and cut, under the given titles, with the caller's ids as sources", async () => {
    expect(await index()).toMatchObject({ indexed: 2, chunks: 3, failed: [] })
    const listed = await bench.documents()
    expect(listed).toMatchObject([
      { source: 'doc#1', title: 'Disk', metadata: { lang: 'en' } },
      { source: 'doc/2', title: '磁盘', metadata: { lang: 'zh' } }
    ])
    expect(listed[0]!.documentId).not.toContain('#')
    expect(
      (await bench.chunksOf(listed[0]!.documentId)).map(({ content, headingPath }) => [...headingPath, content])
    ).toEqual([
      ['Steps', 'Free space.'],
      ['Later', 'Rotate logs.']
    ])
  })

  it('whole: one chunk of the text as it stands', async () => {
    expect(await index({ chunking: 'whole' })).toMatchObject({ indexed: 2, chunks: 2 })
    const [first] = await bench.documents()
    const [chunk] = await bench.chunksOf(first!.documentId)
    expect(chunk).toMatchObject({
      content: documents[0]!.text,
      headingPath: [],
      start: 0,
      end: documents[0]!.text.length
    })
    expect(chunk!.metadata).toMatchObject({ strategy: 'whole' })
    expect(bench.embedder.batches.flat()[0]).toBe(`Disk\n${documents[0]!.text}`)
  })

  it('skips what has not changed, and tells one way of cutting from the other', async () => {
    await index()
    expect(await index()).toMatchObject({ unchanged: 2, indexed: 0 })
    expect(await index({ chunking: 'whole' })).toMatchObject({ replaced: 2 })
    const retitled = documents.map((document) => ({ ...document, title: 'New' }))
    expect(await index({ chunking: 'whole', documents: retitled })).toMatchObject({ replaced: 2 })
  })

  it('reports blank texts, removes nothing, and takes a stream', async () => {
    await index()
    for (const chunking of ['product', 'whole'] as const) {
      expect(await index({ documents: stream(), chunking })).toMatchObject({
        failed: [{ path: 'blank', code: 'DOCUMENT_UNREADABLE' }],
        removed: 0
      })
    }
    expect(await bench.documents()).toHaveLength(3)
  })
})
