import { join } from 'node:path'
import { createPlainRead } from '@oncall-agent/engines/embedded'
import type { KnowledgeIndex, Scope } from '@oncall-agent/retrieval'
import { type BenchContext, fixedChunksOf, smallerCorpusOf } from '../bench-context.ts'
import { benchCorpus, type BenchCorpus } from '../corpus/bench-corpus.ts'
import { withoutTokenVectors } from '../corpus/fill-index.ts'
import { openKeptIndex, syntheticFingerprint } from '../corpus/kept-index.ts'
import { median, timeInTurn } from '../measure/samples.ts'
import { atLeast, atMost, type BenchResult, judge } from '../results/bench-result.ts'
import { SqliteVecRival } from '../rivals/sqlite-vec-rival.ts'
import { growth } from './growth.ts'

/** Width of the bundled embedder's vectors. */
export const dimension = 896
/** Candidates that the product asks for. */
const limit = 20
/** Enough for a median that moves by a percent or two. */
const rounds = 30
/** A round of these two takes a hundredth of a second. */
const memoryRounds = 100

/** Vector search against reading its bytes once, against sqlite-vec, and against itself on a tenth of the chunks. */
export async function benchVector(context: BenchContext): Promise<readonly BenchResult[]> {
  const fixedChunks = fixedChunksOf(context.chunks)
  const large = benchCorpus({ chunks: context.chunks, fixedChunks, dimension })
  const small = benchCorpus({ chunks: smallerCorpusOf(context.chunks), fixedChunks, dimension })
  const index = await openKeptIndex(context, large, syntheticFingerprint(dimension), withoutTokenVectors)
  const smallIndex = await openKeptIndex(context, small, syntheticFingerprint(dimension), withoutTokenVectors)
  context.progress.step('filling sqlite-vec')
  const rival = await SqliteVecRival.open(join(context.cacheDirectory, 'bench', `sqlite-vec-${large.key}.db`), large)
  try {
    return [
      await againstMemory(context, { corpus: large, index, rival }),
      ...(await againstSqliteVec(context, { corpus: large, index, rival })),
      ...(await growth('vector', {
        smallWhole: (round) => search(smallIndex, small, small.scopes.whole, round),
        largeWhole: (round) => search(index, large, large.scopes.whole, round),
        smallFixed: (round) => search(smallIndex, small, small.scopes.fixed, round),
        largeFixed: (round) => search(index, large, large.scopes.fixed, round)
      }))
    ]
  } finally {
    rival.close()
    await index.close()
    await smallIndex.close()
  }
}

/** Who takes part. */
interface Rivals {
  readonly corpus: BenchCorpus
  readonly index: KnowledgeIndex
  readonly rival: SqliteVecRival
}

/** The two alone: what a rival leaves of the caches in between would hit the one that comes next, and not both. */
async function againstMemory(context: BenchContext, { corpus, index }: Rivals): Promise<BenchResult> {
  const readOnce = createPlainRead(corpus.chunks * dimension)
  context.progress.step('timing vector search against memory')
  const samples = await timeInTurn(
    { ours: (round) => search(index, corpus, corpus.scopes.whole, round), memory: () => readOnce() },
    memoryRounds
  )
  const [ours, memoryMs] = [median(samples.ours), median(samples.memory)]
  const note = `exact top ${limit} of the whole scope ${ms(ours)}, reading the int8 bytes once ${ms(memoryMs)}`
  return judge({ name: 'vector.over-memory-read', value: ours / memoryMs, unit: 'ratio', note }, atMost(1.6))
}

/** All take turns in one run; each round has a query of its own. */
async function againstSqliteVec(
  context: BenchContext,
  { corpus, index, rival }: Rivals
): Promise<readonly BenchResult[]> {
  context.progress.step('timing vector search against sqlite-vec')
  const samples = await timeInTurn(
    {
      ours: (round) => search(index, corpus, corpus.scopes.whole, round),
      sqliteVec: (round) => rival.search(corpus.queryVector(round), limit),
      oursTenth: (round) => search(index, corpus, corpus.scopes.tenth, round),
      sqliteVecTenth: (round) => rival.search(corpus.queryVector(round), limit, corpus.layout.tenth)
    },
    rounds
  )
  const [ours, sqliteVec] = [median(samples.ours), median(samples.sqliteVec)]
  const [tenth, sqliteVecTenth] = [median(samples.oursTenth), median(samples.sqliteVecTenth)]
  return [
    judge(
      {
        name: 'vector.faster-than-sqlite-vec',
        value: sqliteVec / ours,
        unit: 'ratio',
        note: `whole scope: ours ${ms(ours)}, sqlite-vec with a partition key ${ms(sqliteVec)}`
      },
      atLeast(5)
    ),
    judge({
      name: 'vector.faster-than-sqlite-vec-in-a-tenth',
      value: sqliteVecTenth / tenth,
      unit: 'ratio',
      note: `one knowledge base with a tenth of the chunks: ours ${ms(tenth)}, sqlite-vec ${ms(sqliteVecTenth)}`
    })
  ]
}

/** Ours, as the pipeline asks it. */
function search(index: KnowledgeIndex, corpus: BenchCorpus, scope: Scope, round: number): Promise<unknown> {
  return index.vector.search({ vector: corpus.queryVector(round), scope, limit })
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}
