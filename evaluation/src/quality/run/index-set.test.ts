import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDocumentExtractor, defaultKnowledgeSettings, type IndexingDependencies } from '@oncall-agent/backend'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import { bm25lScores, type KnowledgeIndex, searchedText, tokenize, topScores } from '@oncall-agent/retrieval'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { LetterEmbedder } from '../../test-material/letter-embedder.ts'
import { temporaryFolder } from '../../test-material/temporary-folder.ts'
import type { EvaluationSet, SetDocument } from '../sets/evaluation-set.ts'
import { loadSet } from '../sets/load-set.ts'
import { evaluationPair, indexSet } from './index-set.ts'
import { placeholderEmbedder } from './placeholder-embedder.ts'
import { rankByWords } from './rank-query.ts'

const ownSet = fileURLToPath(new URL('../../../sets/oncall-bilingual', import.meta.url))
const folder = temporaryFolder()
const signal = new AbortController().signal
const embedder = new LetterEmbedder()
const extractor = createDocumentExtractor({ limits: defaultKnowledgeSettings.extraction })
const opened: KnowledgeIndex[] = []

afterEach(async () => {
  for (const index of opened.splice(0)) await index.close()
})
afterAll(() => extractor.close())

async function open(name: string): Promise<{ index: KnowledgeIndex; dependencies: IndexingDependencies }> {
  const index = await openEmbeddedIndex({ directory: join(folder.path, name), fingerprint: embedder.fingerprint })
  opened.push(index)
  return { index, dependencies: { index: index.writer, embedder, extractor, settings: defaultKnowledgeSettings } }
}

function setOf(...documents: readonly SetDocument[]): EvaluationSet {
  const leftOut = { queriesWithoutJudgement: 0, judgedQueriesNotAsked: 0 }
  return { name: 'made', half: 'dev', documents, queries: [], judgements: new Map(), leftOut }
}

function section(name: string): string {
  return `# ${name}\n\n${`Sentences about ${name} and the pager. `.repeat(40)}\n\n`
}

describe('indexing whole documents', () => {
  it('ranks every query of our own set exactly as brute force over whole documents', async () => {
    const set = await loadSet(ownSet, { half: 'dev' })
    const { index, dependencies } = await open('exact')
    const { setIdOf, chunks } = await indexSet(set, 'whole', dependencies, { signal, onDocuments: () => undefined })
    expect(chunks).toBe(set.documents.length)
    const texts = set.documents.map(({ title, text }) =>
      tokenize(searchedText({ title, headingPath: [], content: text }))
    )
    const rank = rankByWords(index.lexical, setIdOf)
    expect(set.queries.length).toBeGreaterThan(20)
    for (const query of set.queries) {
      const expected = topScores(bm25lScores(tokenize(query.text), texts), 20).map((at) => set.documents[at]!.id)
      const found = await rank(query.text, signal)
      expect(found.lexical!.map((each) => each.documentId)).toEqual(expected)
    }
  })

  it('counts documents without text, as a reference does, and finds them by their title', async () => {
    const { index, dependencies } = await open('blank')
    const set = setOf(
      { id: 'a', title: 'disk alert', text: 'free some space' },
      { id: 'b', title: 'quorum', text: '' },
      { id: 'c', title: '', text: ' ' }
    )
    const indexed = await indexSet(set, 'whole', dependencies, { signal, onDocuments: () => undefined })
    expect(indexed).toMatchObject({ chunks: 3, refused: 0 })
    const { chunks } = await index.lexical.statistics(['space'], { pairs: [evaluationPair] })
    expect(chunks).toBe(3)
    const found = await rankByWords(index.lexical, indexed.setIdOf)('quorum', signal)
    expect(found.lexical!.map((each) => each.documentId)).toEqual(['b'])
  })

  it('keeps the order of the file for equal scores', async () => {
    const { index, dependencies } = await open('order')
    const ids = ['z', 'm', 'a', 'q']
    const set = setOf(...ids.map((id) => ({ id, title: '', text: 'the very same words' })))
    const indexed = await indexSet(set, 'whole', dependencies, { signal, onDocuments: () => undefined })
    const found = await rankByWords(index.lexical, indexed.setIdOf)('words', signal)
    expect(found.lexical!.map((each) => each.documentId)).toEqual(ids)
  })
})

describe('indexing as uploads are cut', () => {
  it('reads Markdown: a long document becomes several chunks, and is one in a ranking', async () => {
    const { index, dependencies } = await open('product')
    const set = setOf({ id: 'long', title: 'Handbook', text: ['one', 'two', 'three', 'four'].map(section).join('') })
    const indexed = await indexSet(set, 'product', dependencies, { signal, onDocuments: () => undefined })
    expect(indexed.chunks).toBeGreaterThan(1)
    const found = await rankByWords(index.lexical, indexed.setIdOf)('pager', signal)
    expect(found.lexical).toHaveLength(1)
    expect(found.lexical![0]!.documentId).toBe('long')
  })

  it('says how many documents the product refuses', async () => {
    const { dependencies } = await open('refused')
    const set = setOf({ id: 'a', title: 'a', text: 'words' }, { id: 'b', title: 'b', text: '# only a heading' })
    const indexed = await indexSet(set, 'product', dependencies, { signal, onDocuments: () => undefined })
    expect(indexed.refused).toBe(1)
    expect([...indexed.setIdOf.values()]).toEqual(['a'])
  })

  it('tells how far it is', async () => {
    const { dependencies } = await open('progress')
    const seen: number[] = []
    const set = setOf(...'abc'.split('').map((id) => ({ id, title: id, text: `text of ${id}` })))
    await indexSet(set, 'product', dependencies, { signal, onDocuments: (done) => seen.push(done) })
    expect(seen.at(-1)).toBe(3)
  })

  it('fails as a whole when the model fails: a part of a set measures nothing', async () => {
    const { dependencies } = await open('failing')
    const failing = new LetterEmbedder()
    failing.failAfter = 1
    const set = setOf(...'abc'.split('').map((id) => ({ id, title: id, text: `text of ${id}` })))
    const run = indexSet(set, 'whole', { ...dependencies, embedder: failing }, { signal, onDocuments: () => undefined })
    await expect(run).rejects.toThrow(/unavailable|out of memory|wrong/)
  })
})

describe('an index for words alone', () => {
  it('takes placeholders for vectors and refuses to embed a query', async () => {
    const placeholder = placeholderEmbedder(embedder.fingerprint, embedder.limits)
    const [first, second] = await placeholder.embedPassages(['one', 'two'])
    expect(first!.vector).toEqual(second!.vector)
    expect(Math.hypot(...first!.vector)).toBe(1)
    await expect(placeholder.embedQuery('anything')).rejects.toThrow(/without meanings/)
  })
})
