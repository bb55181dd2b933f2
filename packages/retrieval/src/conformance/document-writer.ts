import type { KnowledgeIndex, PortFailure, Scope, StoredChunk } from '../ports/index.ts'
import { entryCases } from './entry-cases.ts'
import { indexSuite, scopeOf } from './index-suite.ts'
import type { IndexCase, IndexContext, IndexSuiteOptions } from './index-suite.ts'
import { documentOf, pairOf, plainChunks, vectorOfText } from './test-data.ts'
import { rejectionOf } from './test-api.ts'
import type { TestApi } from './test-api.ts'

const home = pairOf('tenant', 'kb')
const stranger = pairOf('stranger', 'kb')
/** Replacements under way while readers look; each is one chance to see half of one. */
const REPLACEMENTS = 30

/** Every guarantee of `DocumentWriter`, its entries and `ChunkReader` within one process. Crashes are the engine's own tests. */
export function documentWriterConformance(
  test: TestApi,
  create: () => Promise<KnowledgeIndex>,
  options: IndexSuiteOptions = {}
): void {
  test.describe('document writer', () => indexSuite(test, { ...writing, ...reading, ...entryCases }, create, options))
}

function read(index: KnowledgeIndex, chunkIds: readonly string[], scope: Scope): Promise<readonly StoredChunk[]> {
  return index.chunks.read({ chunkIds, scope, withVectors: true, withTokenVectors: true })
}

async function failureOf(promise: Promise<unknown>): Promise<PortFailure | undefined> {
  return ((await rejectionOf(promise)) as { failure?: PortFailure } | undefined)?.failure
}

async function contentsIn({ index, dimension }: IndexContext): Promise<{ words: string[]; meanings: string[] }> {
  const scope = scopeOf(home)
  const words = await index.lexical.search({ tokens: ['shared'], scope, limit: 20 })
  const meanings = await index.vector.search({ vector: vectorOfText('shared', dimension), scope, limit: 20 })
  const named = (hits: typeof words.hits) => hits.map((hit) => `${hit.chunkId} v${hit.documentVersion}`).toSorted()
  return { words: named(words.hits), meanings: named(meanings.hits) }
}

const writing: Readonly<Record<string, IndexCase>> = {
  'lists the documents of a pair in corpus order, whole, with their number of chunks': async (context) => {
    const { index, expect, dimension } = context
    const late = documentOf(home, 'a', {
      createdAt: 2,
      title: '网关 🚦',
      metadata: { level: 1, on: true, env: 'prod' }
    })
    const early = documentOf(home, 'b', { createdAt: 1, source: '' })
    await index.writer.replaceDocument(late, plainChunks(['one', 'two'], dimension))
    await index.writer.replaceDocument(early, plainChunks(['three'], dimension))
    await index.writer.replaceDocument(documentOf(stranger, 'c'), plainChunks(['four'], dimension))
    expect(await index.writer.listDocuments(home)).toEqual([
      { ...early, chunks: 1 },
      { ...late, chunks: 2 }
    ])
    expect(await index.writer.listDocuments(pairOf('tenant', 'unknown'))).toEqual([])
  },
  'replaces a document whole, in both branches, and is idempotent': async (context) => {
    const { index, expect, dimension } = context
    await index.writer.replaceDocument(documentOf(home, 'd'), plainChunks(['shared old', 'shared more'], dimension))
    const next = documentOf(home, 'd', { version: 2 })
    for (let time = 0; time < 2; time++) {
      await index.writer.replaceDocument(next, plainChunks(['shared new'], dimension))
      expect(await contentsIn(context)).toEqual({ words: ['d#0000 v2'], meanings: ['d#0000 v2'] })
      const { documents, chunks } = await index.size()
      expect({ documents, chunks }).toEqual({ documents: 1, chunks: 1 })
    }
    expect(await read(index, ['d#0001'], scopeOf(home))).toEqual([])
  },
  'shows readers the old version or the new one while it is replaced, never none and never a mix': async (context) => {
    const { index, expect, dimension } = context
    const contents = ['shared one', 'shared two', 'shared three']
    const replace = (version: number): Promise<void> =>
      index.writer.replaceDocument(documentOf(home, 'd', { version }), plainChunks(contents, dimension))
    await replace(1)
    for (let version = 2; version <= REPLACEMENTS; version++) {
      const [, seen] = await Promise.all([replace(version), contentsIn(context)])
      for (const branch of [seen.words, seen.meanings]) {
        const versions = new Set(branch.map((hit) => hit.split(' v')[1]))
        expect({ hits: branch.length, versions: versions.size }).toEqual({ hits: contents.length, versions: 1 })
      }
    }
  },
  'deletes for good when it resolves, and says whether there was anything': async (context) => {
    const { index, expect, dimension } = context
    await index.writer.replaceDocument(documentOf(home, 'd'), plainChunks(['shared'], dimension))
    expect(await index.writer.deleteDocument(home, 'd')).toBe(true)
    expect(await contentsIn(context)).toEqual({ words: [], meanings: [] })
    expect(await read(index, ['d#0000'], scopeOf(home))).toEqual([])
    expect(await index.writer.listDocuments(home)).toEqual([])
    expect(await index.writer.deleteDocument(home, 'd')).toBe(false)
  },
  'neither deletes nor shows what belongs to another tenant': async (context) => {
    const { index, expect, dimension } = context
    await index.writer.replaceDocument(documentOf(home, 'd'), plainChunks(['shared'], dimension))
    expect(await index.writer.deleteDocument(stranger, 'd')).toBe(false)
    expect(await index.writer.deleteDocument(pairOf('tenant', 'kb-other'), 'd')).toBe(false)
    expect(await contentsIn(context)).toEqual({ words: ['d#0000 v1'], meanings: ['d#0000 v1'] })
  },
  'refuses a vector of another width and a repeated sequence, and changes nothing': async (context) => {
    const { index, expect, dimension } = context
    await index.writer.replaceDocument(documentOf(home, 'd'), plainChunks(['shared'], dimension))
    const [chunk] = plainChunks(['shared new'], dimension)
    const next = documentOf(home, 'd', { version: 2 })
    const wide = { ...chunk!, sequence: 1, vector: new Float32Array(dimension + 1).fill(0.1) }
    const notFinite = { ...chunk!, sequence: 1, vector: new Float32Array(dimension).fill(Number.NaN) }
    for (const second of [wide, notFinite, chunk!]) {
      const failure = await failureOf(index.writer.replaceDocument(next, [chunk!, second]))
      expect(failure).toBe('invalid-argument')
    }
    expect(await contentsIn(context)).toEqual({ words: ['d#0000 v1'], meanings: ['d#0000 v1'] })
  },
  'rejects with a typed failure once it is closed': async ({ index, expect, dimension }) => {
    await index.close()
    const request = { vector: vectorOfText('x', dimension), scope: scopeOf(home), limit: 1 }
    expect(await failureOf(index.vector.search(request))).toBe('closed')
    expect(await failureOf(index.lexical.search({ tokens: ['x'], scope: scopeOf(home), limit: 1 }))).toBe('closed')
    expect(await failureOf(index.writer.deleteDocument(home, 'd'))).toBe('closed')
  }
}

const reading: Readonly<Record<string, IndexCase>> = {
  'reads chunks as they were written, in the order asked, leaving out what is not there': async (context) => {
    const { index, expect, dimension } = context
    const document = documentOf(home, 'd', { title: 'T', metadata: { level: 1, env: 'prod' } })
    const [first, second] = plainChunks(['第一段 👨‍👩‍👧 e\u0301', 'line one\n\tline two '], dimension)
    const tokenVectors = Uint8Array.from([0, 255, 7])
    const overlaid = { ...second!, headingPath: ['A', 'B > C'], metadata: { level: '1' }, tokenVectors }
    await index.writer.replaceDocument(document, [first!, overlaid])
    const chunks = await read(index, ['d#0001', 'd#0009', 'unknown#0000', 'd#0000'], scopeOf(home))
    expect(chunks.map((chunk) => ({ ...chunk, tokenVectors: chunk.tokenVectors && [...chunk.tokenVectors] }))).toEqual([
      { ...overlaid, chunkId: 'd#0001', document, metadata: { level: '1', env: 'prod' }, tokenVectors: [0, 255, 7] },
      { ...first!, chunkId: 'd#0000', document, metadata: document.metadata, tokenVectors: undefined }
    ])
  },
  'reads vectors and token vectors only when asked': async ({ index, expect, dimension }) => {
    const [chunk] = plainChunks(['text'], dimension)
    await index.writer.replaceDocument(documentOf(home, 'd'), [{ ...chunk!, tokenVectors: Uint8Array.of(1) }])
    const request = { chunkIds: ['d#0000'], scope: scopeOf(home), withVectors: false, withTokenVectors: false }
    const [bare] = await index.chunks.read(request)
    expect([bare!.vector, bare!.tokenVectors]).toEqual([undefined, undefined])
  },
  'reads nothing outside the scope': async ({ index, expect, dimension }) => {
    const document = documentOf(home, 'd', { metadata: { level: 1 } })
    await index.writer.replaceDocument(document, plainChunks(['text'], dimension))
    const outside: readonly Scope[] = [
      { pairs: [] },
      scopeOf(stranger),
      { ...scopeOf(home), documentIds: ['other'] },
      { ...scopeOf(home), metadata: { level: '1' } }
    ]
    for (const scope of outside) expect(await read(index, ['d#0000'], scope)).toEqual([])
  },
  'numbers chunks beyond the four digits of their ids in order': async ({ index, expect, dimension }) => {
    const [chunk] = plainChunks(['text'], dimension)
    const far = [9_999, 10_000].map((sequence) => ({ ...chunk!, sequence }))
    await index.writer.replaceDocument(documentOf(home, 'd'), far)
    const found = await index.lexical.search({ tokens: ['text'], scope: scopeOf(home), limit: 20 })
    expect(found.hits.map((hit) => hit.chunkId)).toEqual(['d#9999', 'd#10000'])
  }
}
