import { join } from 'node:path'
import { createBundledEmbedder } from '@oncall-agent/bundled-models'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import { tokenize } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocumentExtractor } from './extract/document-extractor.ts'
import { defaultKnowledgeSettings } from './settings.ts'
import { IndexingBench } from './test-material/indexing-bench.ts'
import { linesOf, makePdf } from './test-material/make-pdf.ts'

/** The whole room with the bundled model and the embedded index, as compose.ts puts it together. */
describe('a folder of runbooks', () => {
  const bench = new IndexingBench()
  const dataDirectory = join(bench.scratch, 'data')
  const embedder = createBundledEmbedder({ tokenVectors: false })
  const extractor = createDocumentExtractor({
    limits: defaultKnowledgeSettings.extraction,
    tokenCounter: { moduleUrl: import.meta.resolve('@oncall-agent/bundled-models'), exportName: 'createTokenCounter' }
  })
  const open = () => openEmbeddedIndex({ directory: dataDirectory, fingerprint: embedder.fingerprint })
  const scope = { pairs: [{ tenantId: 'local', knowledgeBaseId: 'kb' }] }
  let index: Awaited<ReturnType<typeof open>>

  beforeAll(async () => {
    bench.put('连接.md', '# E_CONN_RESET\n\n## 处理步骤\n\n先确认网关是否存活，再重启连接池。')
    bench.put('disk.md', '# Disk full\n\nDelete old logs under /var/log and rotate them.')
    bench.put('long.md', `# Long\n\n${'节点磁盘空间不足时需要先清理日志，然后扩容。'.repeat(300)}`)
    bench.put('book.pdf', makePdf([linesOf(['Certificates expire; renew them with certbot.'])]))
    index = await open()
  })
  afterAll(async () => {
    await index.close()
    await embedder.close()
    extractor.close()
    bench.close()
  })

  const run = () => bench.run({}, { index: index.writer, embedder, extractor, dataDirectory, clock: Date.now })

  /** Where the best hit of each branch comes from. */
  const best = async (query: string): Promise<{ words: string | undefined; meaning: string | undefined }> => {
    const words = await index.lexical.search({ tokens: tokenize(query), scope, limit: 1 })
    const { vector } = await embedder.embedQuery(query)
    const meaning = await index.vector.search({ vector, scope, limit: 1 })
    const listed = await index.writer.listDocuments(scope.pairs[0]!)
    const source = (id: string | undefined) => listed.find((document) => document.documentId === id)?.source
    return { words: source(words.hits[0]?.documentId), meaning: source(meaning.hits[0]?.documentId) }
  }

  it("is indexed, and each chunk fits the model by the model's own count", async () => {
    const report = await run()
    expect(report).toMatchObject({ indexed: 4, failed: [], warnings: [] })
    const listed = await index.writer.listDocuments(scope.pairs[0]!)
    const long = listed.find((document) => document.title === 'Long')!
    expect(long.chunks).toBeGreaterThan(5)
    const chunkIds = Array.from({ length: long.chunks }, (_, at) => `${long.documentId}#${String(at).padStart(4, '0')}`)
    const chunks = await index.chunks.read({ chunkIds, scope, withVectors: false, withTokenVectors: false })
    expect(chunks).toHaveLength(long.chunks)
    for (const { tokenCount } of chunks) expect(tokenCount).toBeLessThanOrEqual(embedder.limits.maxTokens)
  })

  it('is found by words and by meaning, across languages', async () => {
    expect(await best('E_CONN_RESET 怎么恢复')).toEqual({ words: 'runbooks/连接.md', meaning: 'runbooks/连接.md' })
    expect((await best('证书过期了怎么续期')).meaning).toBe('runbooks/book.pdf')
  })

  it('is unchanged in a new process, and shows a change whole', async () => {
    await index.close()
    index = await open()
    expect(await run()).toMatchObject({ unchanged: 4, indexed: 0, chunks: 0 })
    bench.put('disk.md', '# Disk full\n\nResize the volume.')
    bench.remove('book.pdf')
    expect(await run()).toMatchObject({ replaced: 1, removed: 1, unchanged: 2 })
    expect((await index.lexical.search({ tokens: tokenize('certbot'), scope, limit: 5 })).hits).toEqual([])
    expect((await index.lexical.search({ tokens: tokenize('rotate'), scope, limit: 5 })).hits).toEqual([])
    expect((await index.lexical.search({ tokens: tokenize('resize'), scope, limit: 5 })).hits).toHaveLength(1)
  })
})
