import { join } from 'node:path'
import type { KnowledgeIndex, Scope } from '@oncall-agent/retrieval'
import { type BenchContext, fixedChunksOf, smallerCorpusOf } from '../bench-context.ts'
import { benchCorpus, type BenchCorpus } from '../corpus/bench-corpus.ts'
import { withoutTokenVectors } from '../corpus/fill-index.ts'
import { openKeptIndex, syntheticFingerprint } from '../corpus/kept-index.ts'
import { median, timeInTurn, timeOnce } from '../measure/samples.ts'
import { atLeast, atMost, type BenchResult, judge, skipped } from '../results/bench-result.ts'
import { Fts5Rival } from '../rivals/fts5-rival.ts'
import { findTantivy, TantivyRival } from '../rivals/tantivy-rival.ts'
import { growth } from './growth.ts'
import { dimension } from './vector.ts'

const limit = 20
/** Words of a query; the budget speaks of three tokens. */
const words = 3
const rounds = 60
/** Queries of one turn where the rival is a process that has to be started. */
const turn = 10
/** Enumeration takes seconds a query. */
const enumerationRounds = 3

/** Lexical search against scoring everything, FTS5 and tantivy, and against itself on a tenth of the chunks. */
export async function benchLexical(context: BenchContext): Promise<readonly BenchResult[]> {
  const fixedChunks = fixedChunksOf(context.chunks)
  const large = benchCorpus({ chunks: context.chunks, fixedChunks, dimension })
  const small = benchCorpus({ chunks: smallerCorpusOf(context.chunks), fixedChunks, dimension })
  const index = await openKeptIndex(context, large, syntheticFingerprint(dimension), withoutTokenVectors)
  const smallIndex = await openKeptIndex(context, small, syntheticFingerprint(dimension), withoutTokenVectors)
  context.progress.step('filling FTS5')
  const fts5 = await Fts5Rival.open(join(context.cacheDirectory, 'bench', `fts5-${large.key}.db`), large)
  try {
    return [
      ...(await againstEnumeration(context, large, index, fts5)),
      ...(await againstFts5(context, large, index, fts5)),
      await againstTantivy(context, large, index),
      ...(await growth('lexical', {
        smallWhole: (round) => search(smallIndex, small, small.scopes.whole, round),
        largeWhole: (round) => search(index, large, large.scopes.whole, round),
        smallFixed: (round) => search(smallIndex, small, small.scopes.fixed, round),
        largeFixed: (round) => search(index, large, large.scopes.fixed, round)
      }))
    ]
  } finally {
    fts5.close()
    await index.close()
    await smallIndex.close()
  }
}

/** Few rounds: a hundredth of the others is enough for a ratio of hundreds. */
async function againstEnumeration(
  context: BenchContext,
  corpus: BenchCorpus,
  index: KnowledgeIndex,
  fts5: Fts5Rival
): Promise<readonly BenchResult[]> {
  context.progress.step('timing enumeration')
  const samples = await timeInTurn(
    {
      ours: (round) => search(index, corpus, corpus.scopes.tenth, round),
      enumeration: (round) => fts5.enumerate(corpus.queryTokens(round, words), limit, corpus.layout.tenth)
    },
    enumerationRounds
  )
  return [
    ratio('lexical.faster-than-enumeration', samples.enumeration, samples.ours, {
      budget: atLeast(50),
      note: 'in one knowledge base with a tenth of the chunks, reading, tokenising and scoring them all for a query'
    })
  ]
}

/** FTS5 is given the same tokens; its statistics are those of the whole table, ours those of the scope. */
async function againstFts5(
  context: BenchContext,
  corpus: BenchCorpus,
  index: KnowledgeIndex,
  fts5: Fts5Rival
): Promise<readonly BenchResult[]> {
  context.progress.step('timing FTS5')
  const everywhere = corpus.layout.knowledgeBaseIds
  const samples = await timeInTurn(
    {
      ours: (round) => search(index, corpus, corpus.scopes.whole, round),
      fts5: (round) => fts5.search(corpus.queryTokens(round, words), limit, everywhere),
      oursTenth: (round) => search(index, corpus, corpus.scopes.tenth, round),
      fts5Tenth: (round) => fts5.search(corpus.queryTokens(round, words), limit, [corpus.layout.tenth])
    },
    rounds
  )
  return [
    ratio('lexical.faster-than-fts5', samples.fts5, samples.ours, {
      budget: atLeast(5),
      note: 'whole scope, FTS5 with a filter of all knowledge bases'
    }),
    ratio('lexical.faster-than-fts5-in-a-tenth', samples.fts5Tenth, samples.oursTenth, {
      budget: atLeast(5),
      note: 'one knowledge base with a tenth of the chunks'
    })
  ]
}

/** The optional rival: a line is there all the same when it is missing, with the reason. */
async function againstTantivy(context: BenchContext, corpus: BenchCorpus, index: KnowledgeIndex): Promise<BenchResult> {
  const line = { name: 'lexical.over-tantivy', unit: 'ratio' }
  const found = await findTantivy(context.cacheDirectory)
  if ('missing' in found) return skipped(line, atMost(3), found.missing)
  context.progress.step('filling and timing tantivy')
  const folder = join(context.cacheDirectory, 'bench', `tantivy-${corpus.key}`)
  const rival = await TantivyRival.open(found.python, folder, corpus)
  const theirs: number[] = []
  const ours: number[] = []
  // In turn, a few queries each, so that what else the machine does hits both.
  for (let first = 0; first < rounds; first += turn) {
    const asked = Array.from({ length: turn }, (_, place) => first + place)
    const queries = asked.map((round) => corpus.queryTokens(round, words))
    theirs.push(...(await rival.time(queries, corpus.layout.tenth)))
    for (const round of asked) {
      // Each query runs once before it is timed, as it does there.
      await search(index, corpus, corpus.scopes.tenth, round)
      ours.push((await timeOnce(() => search(index, corpus, corpus.scopes.tenth, round))).ms)
    }
  }
  return ratio(line.name, ours, theirs, {
    budget: atMost(3),
    note: 'one knowledge base with a tenth of the chunks; tantivy in a process of its own, global statistics'
  })
}

/** Ours, as the pipeline asks it. */
function search(index: KnowledgeIndex, corpus: BenchCorpus, scope: Scope, round: number): Promise<unknown> {
  return index.lexical.search({ tokens: corpus.queryTokens(round, words), scope, limit })
}

/** `above` over `below`, by their medians, with both in the note. */
function ratio(
  name: string,
  above: readonly number[],
  below: readonly number[],
  { budget, note }: { readonly budget: Parameters<typeof judge>[1]; readonly note: string }
): BenchResult {
  const [first, second] = [median(above), median(below)]
  const figures = `${first.toFixed(2)} ms against ${second.toFixed(2)} ms`
  return judge({ name, value: first / second, unit: 'ratio', note: `${note}: ${figures}` }, budget)
}
