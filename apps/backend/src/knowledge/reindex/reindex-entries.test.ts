import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { KnowledgeIndex, ReadablePair, StructuredEntry } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { storedFile } from '../document-files.ts'
import { compareEntriesWithFacts } from '../service/compare-entries-with-facts.ts'
import { defaultKnowledgeSettings } from '../settings.ts'
import { HashEmbedder } from '../test-material/indexing-bench.ts'
import { ReindexBench } from '../test-material/reindex-bench.ts'
import { toBeIndexed } from '../test-material/service-bench.ts'

let bench: ReindexBench
let of: Awaited<ReturnType<ReindexBench['service']['owner']>>
let uploads: ReadablePair
let index: KnowledgeIndex | undefined
const OTHER = new HashEmbedder('other')

beforeEach(async () => {
  bench = await ReindexBench.open()
  of = await bench.service.owner()
  uploads = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
})
afterEach(async () => {
  await index?.close()
  index = undefined
  await bench.close()
})

async function rebuilt(): Promise<KnowledgeIndex> {
  await bench.reindex(OTHER)
  index = await bench.openWith(OTHER)
  expect(await index.verify()).toEqual([])
  const settings = defaultKnowledgeSettings.entries
  expect(await compareEntriesWithFacts(bench.service.store, index, settings)).toEqual([])
  return index
}

async function entriesOf(from: KnowledgeIndex): Promise<Record<string, StructuredEntry>> {
  const entries: Record<string, StructuredEntry> = {}
  for await (const entry of from.entries()) entries[entry.title] = entry
  return entries
}

const without = (entry: StructuredEntry) => ({ ...entry, vector: undefined, contentHash: undefined })
const page = (title: string) =>
  `---\nknowledge_type: alarm\nproject: p\nerror_codes: [E_1]\n---\n# ${title}\n\n## 步骤\n\n${'Some words of it. '.repeat(300)}`

describe('an index that is made anew', () => {
  it('has the entries of the old one, with vectors of the new model', async () => {
    bench.put('disk.md', page('Disk'))
    const { pair } = await bench.indexFolder()
    const form = { ...toBeIndexed, title: 'Given', project: 'ledger', detectErrorCodes: true }
    const { task } = await bench.service.upload(of, ['a.md', 'E_CONN_RESET words'], form)
    await bench.service.ended(task!.id)
    const before = await entriesOf(bench.index)
    const after = await entriesOf(await rebuilt())
    expect(Object.keys(after).toSorted()).toEqual(['Disk', 'Given'])
    for (const title of Object.keys(after)) {
      expect(without(after[title]!)).toEqual(without(before[title]!))
      expect(after[title]!.vector).toHaveLength(16)
    }
    expect(await index!.entry(pair, after.Disk!.documentId)).toMatchObject({
      knowledgeType: 'alarm',
      errorCodes: ['E_1']
    })
  })

  it('has them of documents whose files are gone, whole, from the facts or the old index', async () => {
    bench.put('gone.md', page('Gone'))
    bench.put('stays.md', page('Stays'))
    await bench.indexFolder()
    const form = { ...toBeIndexed, title: 'Damaged' }
    const { document, task } = await bench.service.upload(of, ['d.md', page('x')], form)
    await bench.service.ended(task!.id)
    const before = await entriesOf(bench.index)
    rmSync(join(bench.folder, 'gone.md'))
    rmSync(storedFile(bench.service.folder, { documentId: document.id, version: 1 }))
    // The facts are asked first: they know the text also where the old index does not.
    await bench.index.structured.deleteDocument(uploads, document.id)
    const after = await entriesOf(await rebuilt())
    expect(Object.keys(after).toSorted()).toEqual(['Damaged', 'Gone', 'Stays'])
    for (const title of Object.keys(after)) expect(without(after[title]!)).toEqual(without(before[title]!))
  })

  it('takes what chunks hold for the text that nobody has any more, at its offsets', async () => {
    bench.put('gone.md', page('Gone'))
    const { pair } = await bench.indexFolder()
    const [before] = Object.values(await entriesOf(bench.index))
    rmSync(join(bench.folder, 'gone.md'))
    await bench.index.structured.deleteDocument(pair, before!.documentId)
    const [after] = Object.values(await entriesOf(await rebuilt()))
    const { body, errorCodes, ...rest } = without(after!)
    expect(rest).toEqual({ ...without(before!), body: undefined, errorCodes: undefined })
    expect(errorCodes).toEqual([])
    const at = before!.body.indexOf('Some words')
    expect(at).toBeGreaterThan(0)
    expect(body.slice(at)).toBe(before!.body.slice(at).trimEnd())
    expect(body.slice(0, at).trim()).toBe('')
  })

  it('is not taken for done where an earlier release began it, without entries', async () => {
    for (const name of ['a.md', 'b.md']) await bench.service.indexed(of, name, `words of ${name}`)
    const stop = new AbortController()
    const progress = {
      onProgress: ({ phase }: { phase: string }) => phase === 'checking' && stop.abort(new Error('enough'))
    }
    await expect(bench.reindex(OTHER, {}, { signal: stop.signal, ...progress })).rejects.toThrow('enough')
    const next = await openEmbeddedIndex({ directory: join(bench.scratch, 'reindex'), fingerprint: OTHER.fingerprint })
    const [first] = await next.structured.listDocuments(uploads)
    await next.structured.deleteDocument(uploads, first!.documentId)
    await next.close()
    const second = new HashEmbedder('other')
    expect(await bench.reindex(second)).toMatchObject({ documents: 2, alreadyDone: 1 })
    expect(second.batches.flat()).toHaveLength(1)
    index = await bench.openWith(OTHER)
    expect(await index.structured.listDocuments(uploads)).toHaveLength(2)
  })
})
