import { documentOf, entryOf, plainChunks } from '@oncall-agent/retrieval/conformance'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultKnowledgeSettings } from '../settings.ts'
import { bodiesIn, OutsideEngine } from '../test-material/search-engine.ts'
import { ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'
import { compareEntriesWithFacts } from './compare-entries-with-facts.ts'
import { type IndexDifference, repairDifferences } from './compare-facts-with-index.ts'
import { compareSearchEngine } from './compare-search-engine.ts'

const { entries } = defaultKnowledgeSettings

let engine: OutsideEngine
let bench: ServiceBench
let of: Awaited<ReturnType<ServiceBench['owner']>>
let pair: { readonly tenantId: string; readonly knowledgeBaseId: string }
beforeEach(async () => {
  engine = new OutsideEngine()
  bench = await ServiceBench.open({ searchEngine: engine })
  of = await bench.owner()
  pair = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
})
afterEach(() => bench.close())

const compare = (settings = entries) => compareEntriesWithFacts(bench.store, bench.index, settings)
const compareEngine = () => compareSearchEngine(bench.store, { index: bench.index, searchEngine: engine })
const told = (differences: readonly IndexDifference[]) =>
  Object.fromEntries(differences.map(({ documentId, kind, repair }) => [documentId, [kind, repair]]))

async function ofFolder(documentId: string, withEntry: boolean): Promise<void> {
  const { id } = await bench.store.knowledgeBases.ensure('local', 'default')
  const local = { tenantId: 'local', knowledgeBaseId: id }
  const chunks = plainChunks(['words'], 16)
  await bench.index.writer.replaceDocument(
    documentOf(local, documentId),
    chunks,
    withEntry ? entryOf(local, documentId, {}) : undefined
  )
}

describe('entries and facts', () => {
  it('agree on whatever was indexed, by form, front matter and text', async () => {
    const text =
      '---\nproject: billing\nknowledge_type: runbook\nerror_codes: [E_1, E_1]\n---\n# 标题\n\nE_CONN_RESET\n'
    const form = { ...toBeIndexed, title: 'Given', equipment: 'F5', detectErrorCodes: true }
    const { task } = await bench.upload(of, ['a.md', text], form)
    await bench.ended(task!.id)
    await bench.indexed(of, 'b.txt', 'plain')
    await ofFolder('of-a-folder', true)
    expect(await compare()).toEqual([])
    expect(await compareEngine()).toMatchObject([{ documentId: 'of-a-folder', kind: 'search-engine' }])
  })

  it('differ where an entry is missing, or of something else, and are brought together again', async () => {
    const missing = await bench.indexed(of, 'missing.md', 'first words')
    await bench.index.structured.deleteDocument(pair, missing)
    const other = await bench.indexed(of, 'other.md', 'second words')
    const { vector: _, ...entry } = (await bench.index.entry(pair, other))!
    await bench.index.structured.replaceDocument({ ...entry, project: 'elsewhere', contentHash: 'of another' })
    await bench.index.structured.replaceDocument({ ...entry, documentId: 'nobody' })
    await ofFolder('of-a-folder', false)

    const differences = await compare()
    expect(told(differences)).toEqual({
      [missing]: ['entry', 'index-again'],
      [other]: ['entry', 'index-again'],
      nobody: ['entry', 'remove-from-index'],
      'of-a-folder': ['entry', 'index-folder']
    })
    for (const { found, fileName } of differences)
      expect([found, fileName]).toEqual([expect.stringMatching(/^[A-Z].*\.$/), expect.any(String)])
    expect(await repairDifferences(bench.parts, differences)).toBe(3)
    await bench.idle()
    expect(told(await compare())).toEqual({ 'of-a-folder': ['entry', 'index-folder'] })
    expect(bodiesIn(engine, pair)).toEqual({ [missing]: 'first words', [other]: 'second words' })
  })

  it('differ where the configured types make another type of a document, and in no other document', async () => {
    const runbook = await bench.indexed(of, 'a.md', '---\nknowledge_type: runbook\n---\nwords\n')
    await bench.indexed(of, 'b.md', '---\nknowledge_type: alarm\n---\nother words\n')
    const settings = { ...entries, knowledgeTypes: [...entries.knowledgeTypes, 'runbook'] }
    expect(told(await compare(settings))).toEqual({ [runbook]: ['entry', 'index-again'] })
  })
})

describe('a search engine and the index', () => {
  it('are compared document by document, and brought together at once', async () => {
    const missing = await bench.indexed(of, 'missing.md', 'first words')
    await engine.deleteDocument(pair, missing)
    const other = await bench.indexed(of, 'other.md', 'second words')
    await engine.replaceDocument({ ...engine.all()[0]!, contentHash: 'of before' })
    await engine.replaceDocument({ ...engine.all()[0]!, documentId: 'nobody' })
    const differences = await compareEngine()
    expect(differences.map(({ fileName, found }) => [fileName, found]).toSorted()).toEqual([
      ['missing.md', 'The search engine lacks it.'],
      ['nobody', 'The search engine holds it, and the index does not.'],
      ['other.md', 'The search engine holds something else of it than the index.']
    ])
    expect(await repairDifferences(bench.parts, differences)).toBe(3)
    expect(await compareEngine()).toEqual([])
    expect(bodiesIn(engine, pair)).toEqual({ [missing]: 'first words', [other]: 'second words' })
  })
})
