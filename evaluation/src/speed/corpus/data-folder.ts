import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCAL_TENANT, openBusinessStore } from '@oncall-agent/backend'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { Embedder, PassageEmbedding } from '@oncall-agent/retrieval'
import { type BenchContext, effort, fixedChunksOf } from '../bench-context.ts'
import { benchCorpus, type BenchCorpus } from './bench-corpus.ts'
import { type ExtraOf, fillIndex } from './fill-index.ts'
import { layOut } from './layout.ts'
import { SyntheticText } from './synthetic-text.ts'

/** Texts that are really embedded; every chunk has the token vectors of one of them and a vector near its vector. */
const embeddedTexts = 256
const fewEmbeddedTexts = 8
const seed = 20_260_101

/** A data folder of the product with a whole synthetic corpus in it, as its server and command line open it. */
export interface DataFolder {
  readonly directory: string
  readonly corpus: BenchCorpus
}

/**
 * Gives the kept data folder of this size, and makes it first when there is none: token vectors in the embedder's own
 * form, vectors around real ones, so that real queries meet what they would meet.
 */
export async function openDataFolder(context: BenchContext, embedder: Embedder): Promise<DataFolder> {
  const pool = await embedPool(context, embedder)
  const directory = join(context.cacheDirectory, 'bench', `data-v2-${context.chunks}`)
  const there = await stat(directory).catch(() => undefined)
  if (there === undefined) {
    const unfinished = `${directory}.building`
    await rm(unfinished, { recursive: true, force: true })
    const corpus = await corpusOf(context, unfinished, embedder, pool)
    const index = await openEmbeddedIndex({ directory: unfinished, fingerprint: embedder.fingerprint })
    try {
      const onChunks = (done: number): void => context.progress.step(`filling: ${done} of ${corpus.chunks} chunks`)
      const extraOf: ExtraOf = (chunk) => {
        const { tokenCount, tokenVectors } = pool[chunk % pool.length]!
        return { tokenCount, ...(tokenVectors === undefined ? {} : { tokenVectors }) }
      }
      await fillIndex(corpus, index.writer, extraOf, { signal: context.signal, onChunks })
    } finally {
      await index.close()
    }
    await rename(unfinished, directory)
  }
  return { directory, corpus: await corpusOf(context, directory, embedder, pool) }
}

/** Really embedded, because the reranker reads token vectors in the model’s own form. */
async function embedPool(context: BenchContext, embedder: Embedder): Promise<readonly PassageEmbedding[]> {
  const text = new SyntheticText(seed)
  const length = effort(context, embeddedTexts, fewEmbeddedTexts)
  context.progress.step(`embedding ${length} texts`)
  const texts = Array.from({ length }, (_, number) => text.chunk(number))
  return embedder.embedPassages(texts, context.signal)
}

/** Knowledge bases get their ids from the business store, which makes them in a new folder and knows them in a kept one. */
async function corpusOf(
  context: BenchContext,
  directory: string,
  embedder: Embedder,
  pool: readonly PassageEmbedding[]
): Promise<BenchCorpus> {
  const fixedChunks = fixedChunksOf(context.chunks)
  const ids = new Map<string, string>()
  const store = openBusinessStore(directory)
  try {
    for (const name of layOut(context.chunks, fixedChunks).knowledgeBaseIds) {
      const { id } = await store.knowledgeBases.ensure(LOCAL_TENANT, name)
      ids.set(name, id)
    }
  } finally {
    await store.close()
  }
  return benchCorpus({
    chunks: context.chunks,
    fixedChunks,
    dimension: embedder.fingerprint.dimension,
    centres: pool.map(({ vector }) => vector),
    kind: 'bundled',
    owner: { tenantId: LOCAL_TENANT, idOf: (name) => ids.get(name)! }
  })
}
