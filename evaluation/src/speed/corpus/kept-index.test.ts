import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import { describe, expect, it } from 'vitest'
import { Progress } from '../../cli/progress.ts'
import { LetterEmbedder } from '../../test-material/letter-embedder.ts'
import { temporaryFolder } from '../../test-material/temporary-folder.ts'
import { type BenchContext, effort, fixedChunksOf, smallerCorpusOf } from '../bench-context.ts'
import { benchCorpus } from './bench-corpus.ts'
import { openDataFolder } from './data-folder.ts'
import { withoutTokenVectors } from './fill-index.ts'
import { keptIndexFolder, openKeptIndex, syntheticFingerprint } from './kept-index.ts'

const folder = temporaryFolder()
const chunks = 200
const dimension = 16
const silent = new Progress({ write: () => true })

const contextOf = (name: string, signal = new AbortController().signal): BenchContext => ({
  chunks,
  cacheDirectory: join(folder.path, name),
  progress: silent,
  signal
})
const corpus = benchCorpus({ chunks, fixedChunks: 20, dimension })
const open = (context: BenchContext) =>
  openKeptIndex(context, corpus, syntheticFingerprint(dimension), withoutTokenVectors)

describe('a kept index', () => {
  it('holds every chunk of the corpus in the knowledge bases of its layout', async () => {
    const index = await open(contextOf('whole'))
    expect(await index.size()).toMatchObject({ chunks, documents: corpus.layout.documents.length })
    const inScope = async (scope: typeof corpus.scopes.whole): Promise<number> =>
      (await index.lexical.statistics(['a'], scope)).chunks
    expect(await inScope(corpus.scopes.whole)).toBe(chunks)
    expect(await inScope(corpus.scopes.tenth)).toBe(20)
    expect(await inScope(corpus.scopes.fixed)).toBe(20)
    await index.close()
  })

  it('finds a chunk by its own vector and by its own words', async () => {
    const index = await open(contextOf('whole'))
    const byMeaning = await index.vector.search({ vector: corpus.vector(77), scope: corpus.scopes.whole, limit: 1 })
    const slot = corpus.layout.documents.find((each) => each.first <= 77 && 77 < each.first + each.count)!
    expect(byMeaning.hits[0]!.documentId).toBe(slot.documentId)
    const tokens = corpus.queryTokens(3, 3)
    const byWords = await index.lexical.search({ tokens, scope: corpus.scopes.whole, limit: 5 })
    expect(byWords.hits.length).toBeGreaterThan(0)
    await index.close()
  })

  it('is filled once', async () => {
    const context = contextOf('once')
    const first = await open(context)
    const { revision } = await first.size()
    await first.close()
    const again = await open(context)
    expect((await again.size()).revision).toBe(revision)
    await again.close()
  })

  it('begins again after an interrupted filling, and is never taken for whole', async () => {
    const stop = new AbortController()
    stop.abort(new Error('interrupted'))
    const context = contextOf('interrupted', stop.signal)
    await expect(open(context)).rejects.toThrow('interrupted')
    await expect(stat(keptIndexFolder(context, corpus))).rejects.toThrow(/ENOENT/)
    await mkdir(`${keptIndexFolder(context, corpus)}.building`, { recursive: true })
    await writeFile(join(`${keptIndexFolder(context, corpus)}.building`, 'rubbish'), '')
    const index = await open(contextOf('interrupted'))
    expect((await index.size()).chunks).toBe(chunks)
    await index.close()
  })
})

describe('a data folder', () => {
  it('is made with knowledge bases that the business store knows, and found again', async () => {
    const context = contextOf('data')
    const embedder = new LetterEmbedder()
    const made = await openDataFolder(context, embedder)
    const found = await openDataFolder(context, embedder)
    expect(found.directory).toBe(made.directory)
    expect(found.corpus.scopes).toEqual(made.corpus.scopes)
    // The business store gives its own ids; the names of the layout are only names there.
    expect(made.corpus.scopes.tenth.pairs[0]!.knowledgeBaseId).not.toBe('kb-tenth')
  })

  it('puts vectors near those of texts that were really embedded', async () => {
    const embedder = new LetterEmbedder()
    const { corpus: made } = await openDataFolder(contextOf('data'), embedder)
    const embedded = await embedder.embedPassages([made.text(3)])
    const cosine = made.vector(3).reduce((sum, value, at) => sum + value * embedded[0]!.vector[at]!, 0)
    expect(cosine).toBeGreaterThan(0.4)
  })

  it('holds no two equal vectors: hundreds of ties would make an exact search look slow', async () => {
    const embedder = new LetterEmbedder()
    const { directory, corpus: made } = await openDataFolder(contextOf('data'), embedder)
    const index = await openEmbeddedIndex({ directory, fingerprint: embedder.fingerprint })
    const { hits } = await index.vector.search({ vector: made.vector(3), scope: made.scopes.whole, limit: 20 })
    expect(new Set(hits.map((hit) => hit.score)).size).toBe(20)
    expect(hits[0]!.score).toBeCloseTo(1, 5)
    await index.close()
  })
})

describe('the sizes of a benchmark', () => {
  it('keep one scope of the same size in both corpora', () => {
    const small = smallerCorpusOf(100_000)
    expect(small).toBe(10_000)
    expect(fixedChunksOf(100_000)).toBe(1000)
    expect(() => benchCorpus({ chunks: small, fixedChunks: fixedChunksOf(100_000), dimension })).not.toThrow()
  })

  it('ask for less effort where figures mean little', () => {
    expect(effort({ chunks: 100_000 }, 100, 3)).toBe(100)
    expect(effort({ chunks: 1000 }, 100, 3)).toBe(3)
  })
})
