import { join } from 'node:path'
import type { KnowledgeIndex, StructuredIndex } from '@oncall-agent/retrieval'
import { DEFAULT_KNOWLEDGE_TYPES, DEFAULT_STRUCTURED_SETTINGS } from '@oncall-agent/retrieval'
import { checkStructuredRequest, searchStructured } from '@oncall-agent/retrieval'
import { type BenchContext, effort, smallerCorpusOf } from '../bench-context.ts'
import { openKept, syntheticFingerprint } from '../corpus/kept-index.ts'
import { structuredCorpus, type StructuredCorpus } from '../corpus/structured-corpus.ts'
import { type Contender, median, percentile, type Samples, timeInTurn } from '../measure/samples.ts'
import { atMost, type BenchResult, judge, skipped } from '../results/bench-result.ts'
import { startOpenSearchRival } from '../rivals/opensearch-rival.ts'
import { dimension } from './vector.ts'

/** Searches that are timed; a multiple of the kinds, so that each is asked as often as the others. */
const rounds = 180
const fewRounds = 12

/** Structured search, from the request to the answer, against a search engine with the same documents. */
export async function benchSearch(context: BenchContext): Promise<readonly BenchResult[]> {
  const corpus = structuredCorpus(smallerCorpusOf(context.chunks), dimension)
  const folder = join(context.cacheDirectory, 'bench', `entries-${corpus.key}`)
  const fill = (empty: KnowledgeIndex): Promise<void> => fillEntries(context, empty, corpus)
  const ours = await openKept(context, { folder, fingerprint: syntheticFingerprint(dimension), fill })
  try {
    return await againstOpenSearch(context, corpus, ours.structured)
  } finally {
    await ours.close()
  }
}

/** Entries alone, without chunks: those are contract 1's, and structured search does not look at them. */
async function fillEntries(
  { progress, signal }: BenchContext,
  { writer }: KnowledgeIndex,
  corpus: StructuredCorpus
): Promise<void> {
  for (let number = 0; number < corpus.documents; number++) {
    signal.throwIfAborted()
    if (number % 100 === 0) progress.step(`filling: ${number} of ${corpus.documents} documents`)
    const entry = corpus.entry(number)
    const { documentId, tenantId, knowledgeBaseId, title, createdAt, contentHash } = entry
    const document = { documentId, tenantId, knowledgeBaseId, title, createdAt, contentHash }
    const rest = { ownerUserId: tenantId, version: 1, source: `${documentId}.md`, metadata: {} }
    await writer.replaceDocument({ ...document, ...rest }, [], entry)
  }
}

async function againstOpenSearch(
  context: BenchContext,
  corpus: StructuredCorpus,
  ours: StructuredIndex
): Promise<readonly BenchResult[]> {
  context.progress.step('starting and filling OpenSearch')
  const rival = await startOpenSearchRival(context.cacheDirectory, corpus, syntheticFingerprint(dimension))
  if ('missing' in rival) {
    const samples = await timed(context, { ours: contender(ours, corpus) })
    return report(corpus, samples.ours, { missing: rival.missing })
  }
  try {
    const contenders = { ours: contender(ours, corpus), openSearch: contender(rival.index, corpus) }
    const samples = await timed(context, contenders)
    return report(corpus, samples.ours, { samples: samples.openSearch })
  } finally {
    await rival.close()
  }
}

/** Every search is asked once before any is timed: whoever compiles at run time has then compiled. */
async function timed<Name extends string>(
  context: BenchContext,
  contenders: Readonly<Record<Name, Contender>>
): Promise<Readonly<Record<Name, Samples>>> {
  const searches = effort(context, rounds, fewRounds)
  context.progress.step('warming structured search')
  for (const contend of Object.values<Contender>(contenders)) {
    for (let round = 0; round < searches; round++) await contend(round)
  }
  context.progress.step('timing structured search')
  return timeInTurn(contenders, searches)
}

/** The whole ladder, as the product runs it; the vector of the question is given, for the model is not what is compared. */
function contender(index: StructuredIndex, corpus: StructuredCorpus): Contender {
  const settings = DEFAULT_STRUCTURED_SETTINGS
  const bounds = { ...settings, pairs: corpus.pairs, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES }
  return (round) => {
    const { question, fault } = checkStructuredRequest(corpus.search(round), bounds)
    if (fault !== undefined) throw new TypeError(`${fault.field} ${fault.reason}`)
    const embed = async (): Promise<Float32Array> => corpus.queryVector(round)
    return searchStructured(question, { index, settings, embed, now: () => performance.now() })
  }
}

type RivalTimes = { readonly samples: Samples } | { readonly missing: string }

function report({ documents }: StructuredCorpus, ours: Samples, rival: RivalTimes): readonly BenchResult[] {
  const [p50, p95] = [median(ours), percentile(ours, 0.95)]
  const note = `${ours.length} searches of six kinds among ${documents} documents, one at a time, vector of the question given`
  const lines = [
    judge({ name: 'search.p50', value: p50, unit: 'ms', note }),
    judge({ name: 'search.p95', value: p95, unit: 'ms', note })
  ]
  const theirs = { name: 'search.opensearch-p50', unit: 'ms' }
  const faster = { name: 'search.faster-than-opensearch', unit: 'ratio' }
  const tail = { name: 'search.p95-over-opensearch-p50', unit: 'ratio' }
  if ('missing' in rival) {
    const { missing } = rival
    return [...lines, skipped(theirs, null, missing), skipped(faster, null, missing), skipped(tail, atMost(1), missing)]
  }
  const [rivalP50, rivalP95] = [median(rival.samples), percentile(rival.samples, 0.95)]
  const figures = `ours p50 ${ms(p50)}, p95 ${ms(p95)}; OpenSearch p50 ${ms(rivalP50)}, p95 ${ms(rivalP95)}`
  return [
    ...lines,
    judge({
      ...theirs,
      value: rivalP50,
      note: 'the same searches in turn with ours; one node on this machine, 1 GiB of heap'
    }),
    judge({ ...faster, value: rivalP50 / p50, note: `median against median: ${figures}` }),
    judge({ ...tail, value: p95 / rivalP50, note: `our 95th percentile against its median: ${figures}` }, atMost(1))
  ]
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`
}
