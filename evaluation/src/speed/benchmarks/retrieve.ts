import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Application, compose } from '@oncall-agent/backend'
import { createBundledEmbedder } from '@oncall-agent/bundled-models'
import { type BenchContext, effort } from '../bench-context.ts'
import type { BenchCorpus } from '../corpus/bench-corpus.ts'
import { openDataFolder } from '../corpus/data-folder.ts'
import { percentile, timeOnce } from '../measure/samples.ts'
import { atLeast, atMost, type BenchResult, judge } from '../results/bench-result.ts'

/** Words of a question. */
const words = 8
const warmUps = 5
/** Asked one at a time, and again at once. */
const questions = 100
const fewQuestions = 16
const atOnce = 8
/** Milliseconds between two samples of the event loop; the delay that is told includes it. */
const loopResolutionMs = 5

/** Retrieval end to end through the product's own composition: one at a time, and eight at once. */
export async function benchRetrieve(context: BenchContext): Promise<readonly BenchResult[]> {
  const embedder = createBundledEmbedder({ tokenVectors: true })
  const { directory, corpus } = await openDataFolder(context, embedder).finally(() => embedder.close())
  const application = await compose({ dataDirectory: directory }, 'bench')
  try {
    for (let number = 0; number < warmUps; number++) await ask(context, application, corpus, questions + number)
    context.progress.step('retrieving one at a time')
    const alone = await oneAtATime(context, application, corpus)
    context.progress.step(`retrieving ${atOnce} at once`)
    const together = await manyAtOnce(context, application, corpus)
    return [...latency(alone), ...concurrency(alone, together)]
  } finally {
    await application.close()
  }
}

/** One question that was answered. */
interface Asked {
  readonly ms: number
  /** Milliseconds of embedding and reranking in it. */
  readonly modelMs: number
}

/** Many askers at once. */
interface Together {
  readonly perSecond: number
  /** 99th percentile in milliseconds. */
  readonly loopDelayMs: number
}

/** Through the application, as the command line and the server do: with the run recorded. */
async function ask(
  context: BenchContext,
  application: Application,
  corpus: BenchCorpus,
  number: number
): Promise<Asked> {
  const request = { query: corpus.queryText(number, words), knowledgeBases: [], documentIds: [], metadata: {} }
  const { ms, value } = await timeOnce(() => application.retrieve(request, context.signal))
  const models = value.stages.filter((stage) => stage.name === 'embed' || stage.name === 'rerank')
  return { ms, modelMs: models.reduce((sum, stage) => sum + stage.tookMs, 0) }
}

function questionsOf(context: BenchContext): number {
  return effort(context, questions, fewQuestions)
}

/** Each question waits for the answer before it, so that nothing but its own work is in its time. */
async function oneAtATime(
  context: BenchContext,
  application: Application,
  corpus: BenchCorpus
): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  for (let number = 0; number < questionsOf(context); number++)
    asked.push(await ask(context, application, corpus, number))
  return asked
}

/** Eight askers, each with its next question as soon as it has an answer. */
async function manyAtOnce(context: BenchContext, application: Application, corpus: BenchCorpus): Promise<Together> {
  const delay = monitorEventLoopDelay({ resolution: loopResolutionMs })
  const count = questionsOf(context)
  let next = 0
  const asker = async (): Promise<void> => {
    while (next < count) await ask(context, application, corpus, next++)
  }
  delay.enable()
  const { ms } = await timeOnce(() => Promise.all(Array.from({ length: atOnce }, asker)))
  delay.disable()
  // A sample is the time between two ticks of a timer: what is longer than the timer's own interval is delay.
  const loopDelayMs = Math.max(0, delay.percentile(99) / 1e6 - loopResolutionMs)
  return { perSecond: (count / ms) * 1000, loopDelayMs }
}

/** What may pass outside the models: 30 % of the 120 ms that half of all retrievals may take (decision 0007). */
const outsideModelsMs = 36

/** The time outside the models says whether the index is the bottleneck; their share goes down when they get faster. */
function latency(alone: readonly Asked[]): readonly BenchResult[] {
  const times = alone.map(({ ms }) => ms)
  const total = times.reduce((sum, ms) => sum + ms, 0)
  const models = alone.reduce((sum, { modelMs }) => sum + modelMs, 0)
  const outside = (total - models) / alone.length
  const note = `${alone.length} questions of ${words} words, one at a time, models warm`
  return [
    judge({ name: 'retrieve.p50', value: percentile(times, 0.5), unit: 'ms', note }, atMost(120)),
    judge({ name: 'retrieve.p95', value: percentile(times, 0.95), unit: 'ms', note }, atMost(250)),
    judge(
      {
        name: 'retrieve.outside-models',
        value: outside,
        unit: 'ms',
        note: `all but embedding and reranking, which take ${(models / alone.length).toFixed(1)} of ${(total / alone.length).toFixed(1)} ms`
      },
      atMost(outsideModelsMs)
    ),
    judge({ name: 'retrieve.share-of-models', value: models / total, unit: 'share', note: 'embedding and reranking' })
  ]
}

/** Against the rate of one at a time in the same run. */
function concurrency(alone: readonly Asked[], together: Together): readonly BenchResult[] {
  const perSecond = (alone.length / alone.reduce((sum, { ms }) => sum + ms, 0)) * 1000
  return [
    judge(
      {
        name: 'retrieve.loop-delay-p99',
        value: together.loopDelayMs,
        unit: 'ms',
        note: `${atOnce} at once; how much later than due a timer of ${loopResolutionMs} ms fires`
      },
      atMost(20)
    ),
    judge(
      {
        name: 'retrieve.throughput-at-once',
        value: together.perSecond / perSecond,
        unit: 'ratio',
        note: `${atOnce} at once ${together.perSecond.toFixed(1)} a second, one at a time ${perSecond.toFixed(1)}`
      },
      atLeast(1.6)
    )
  ]
}
