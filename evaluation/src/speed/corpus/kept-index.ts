import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import type { EmbedderFingerprint, KnowledgeIndex } from '@oncall-agent/retrieval'
import type { BenchContext } from '../bench-context.ts'
import { type BenchCorpus } from './bench-corpus.ts'
import { type ExtraOf, fillIndex } from './fill-index.ts'

/** Stands for the model of vectors that none made. */
export const syntheticFingerprint = (dimension: number): EmbedderFingerprint => ({
  model: 'synthetic',
  dimension,
  normalised: true,
  tokenizerVersion: 'none'
})

/** Folder of a kept index; it may not be there yet. */
export function keptIndexFolder(context: Pick<BenchContext, 'cacheDirectory'>, corpus: BenchCorpus): string {
  return join(context.cacheDirectory, 'bench', `index-${corpus.key}`)
}

/** Opens the index of a corpus, and fills it first when there is none; a build that was interrupted begins again. */
export async function openKeptIndex(
  context: BenchContext,
  corpus: BenchCorpus,
  fingerprint: EmbedderFingerprint,
  extraOf: ExtraOf
): Promise<KnowledgeIndex> {
  const onChunks = (done: number): void => context.progress.step(`filling: ${done} of ${corpus.chunks} chunks`)
  const fill = ({ writer }: KnowledgeIndex): Promise<void> =>
    fillIndex(corpus, writer, extraOf, { signal: context.signal, onChunks })
  return openKept(context, { folder: keptIndexFolder(context, corpus), fingerprint, fill })
}

/** What a kept index is made of. */
export interface KeptIndex {
  readonly folder: string
  readonly fingerprint: EmbedderFingerprint
  readonly fill: (empty: KnowledgeIndex) => Promise<void>
}

/** Opens a kept index, and fills it first when there is none. */
export async function openKept(
  { signal }: Pick<BenchContext, 'signal'>,
  { folder, fingerprint, fill }: KeptIndex
): Promise<KnowledgeIndex> {
  const there = await stat(folder).catch(() => undefined)
  if (there === undefined) {
    const unfinished = `${folder}.building`
    await rm(unfinished, { recursive: true, force: true })
    const index = await openEmbeddedIndex({ directory: unfinished, fingerprint })
    try {
      await fill(index)
    } finally {
      await index.close()
    }
    await rename(unfinished, folder)
  }
  const index = await openEmbeddedIndex({ directory: folder, fingerprint })
  // Benchmarks speak of warm searches; the first one is timed by `start`.
  await index.warm(signal)
  return index
}
