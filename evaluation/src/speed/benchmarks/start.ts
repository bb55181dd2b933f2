import { createBundledEmbedder } from '@oncall-agent/bundled-models'
import { openEmbeddedIndex } from '@oncall-agent/engines/embedded'
import { type BenchContext, effort, fixedChunksOf } from '../bench-context.ts'
import { benchCorpus, type BenchCorpus } from '../corpus/bench-corpus.ts'
import { type DataFolder, openDataFolder } from '../corpus/data-folder.ts'
import { withoutTokenVectors } from '../corpus/fill-index.ts'
import { openKeptIndex, syntheticFingerprint } from '../corpus/kept-index.ts'
import { median } from '../measure/samples.ts'
import { atMost, type BenchResult, judge, type Measured, skipped } from '../results/bench-result.ts'
import { startServer } from '../server-process.ts'
import { dimension } from './vector.ts'

const starts = 3
const fewStarts = 1
/** Retrievals before memory is read: every thread has then loaded what it needs. */
const retrievals = 20
/** Chunks that the budgets of memory and disk speak of; other sizes have no promise. */
const budgetedChunks = 100_000
const gigabyte = 1e9

/** A real server process over the corpus: how fast it starts, what it takes in memory and on disk. */
export async function benchStart(context: BenchContext): Promise<readonly BenchResult[]> {
  const embedder = createBundledEmbedder({ tokenVectors: true })
  const { fingerprint } = embedder
  const folder = await openDataFolder(context, embedder).finally(() => embedder.close())
  const plain = benchCorpus({ chunks: context.chunks, fixedChunks: fixedChunksOf(context.chunks), dimension })
  const withVectors = await openEmbeddedIndex({ directory: folder.directory, fingerprint })
  const without = await openKeptIndex(context, plain, syntheticFingerprint(dimension), withoutTokenVectors)
  const sizes = [await withVectors.size(), await without.size()] as const
  await withVectors.close()
  await without.close()
  return [
    ...(await startAndMemory(context, folder)),
    sized(context, 'start.disk-with-token-vectors', sizes[0].bytesOnDisk, 3),
    sized(context, 'start.disk-without-token-vectors', sizes[1].bytesOnDisk, 1.2)
  ]
}

/** Each start is a new process; memory is the greatest of them. */
async function startAndMemory(
  context: BenchContext,
  { directory, corpus }: DataFolder
): Promise<readonly BenchResult[]> {
  const healthy: number[] = []
  const first: number[] = []
  let resident = 0
  const count = effort(context, starts, fewStarts)
  for (let start = 0; start < count; start++) {
    context.progress.step(`starting the server, ${start + 1} of ${count}`)
    const server = await startServer(directory)
    try {
      healthy.push(server.healthyAfterMs)
      await server.retrieve(question(corpus, 0))
      first.push(performance.now() - server.startedAt)
      for (let number = 1; number < retrievals; number++) await server.retrieve(question(corpus, number))
      resident = Math.max(resident, await server.residentBytes())
    } finally {
      await server.stop()
    }
  }
  const note = `median of ${count} starts of \`oncall serve\` over ${context.chunks} chunks, files in the page cache`
  return [
    judge({ name: 'start.health', value: median(healthy) / 1000, unit: 's', note }, atMost(1.5)),
    judge({ name: 'start.first-retrieval', value: median(first) / 1000, unit: 's', note }, atMost(4)),
    budgeted(context, 0.9, {
      name: 'start.memory',
      value: resident / gigabyte,
      unit: 'GB',
      note: `resident memory of the server process after ${retrievals} retrievals, both models loaded`
    })
  ]
}

/** Different words each time, so that no answer comes from a cache. */
function question(corpus: BenchCorpus, number: number): string {
  const words = 8
  return corpus.queryText(number, words)
}

/** What the file takes with its log, as the index itself counts it. */
function sized(context: BenchContext, name: string, bytes: number, limit: number): BenchResult {
  const note = `index file of ${context.chunks} chunks with its log`
  return budgeted(context, limit, { name, value: bytes / gigabyte, unit: 'GB', note })
}

/** Budgets of size are promised for one size of corpus. */
function budgeted(context: BenchContext, limit: number, measured: Measured): BenchResult {
  if (context.chunks === budgetedChunks) return judge(measured, atMost(limit))
  const { name, unit, value } = measured
  const found = `${value.toPrecision(3)} ${unit} with ${context.chunks} chunks`
  return skipped({ name, unit }, atMost(limit), `the budget is for ${budgetedChunks} chunks (found ${found})`)
}
