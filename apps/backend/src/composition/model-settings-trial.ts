import type { ModelPart, ModelTestResult } from '@oncall-agent/api-contracts'
import { type AnswerLanguage, PortError } from '@oncall-agent/retrieval'
import { environmentName } from '../config/index.ts'
import { RemoteFailure, tryChatModel } from '../models/index.ts'
import { isGood, type ModelVerdict, verdictMessage } from './model-settings-messages.ts'
import type { Parts } from './parts.ts'

/** All of one test, retries included: a person looks at the page meanwhile. */
const TEST_LIMIT_MS = 30_000

/** How servers name the fault that they do not know a model; the status is 404 or 400. */
const unknownModel =
  /model[_.-]?(not[_.-]?(found|exist|supported)|unknown|does[_.-]?not)|(invalid|unknown|no[_.-]such)[_.-]?model/i

const QUESTION = '磁盘空间满了怎么办'
const PASSAGES = ['磁盘空间不足时，先清理日志再扩容。', 'The cafeteria opens at noon.']

/** As if each word stood in one of the two texts. */
const oneEach = async (terms: readonly string[]) => ({ chunks: 2, averageLength: 10, frequency: terms.map(() => 1) })

export interface ModelTestHow {
  readonly part: ModelPart
  readonly language: AnswerLanguage
  readonly signal: AbortSignal
}

type TestedParts = Pick<Parts, 'settings' | 'embedder' | 'reranker' | 'logger'>

/**
 * Asks a model something small, now. The answer has fixed sentences alone; what really happened is in the log.
 * @throws the signal's reason
 */
export async function testModel(
  parts: TestedParts,
  { part, language, signal }: ModelTestHow,
  limitMs = TEST_LIMIT_MS
): Promise<ModelTestResult> {
  const started = performance.now()
  const deadline = AbortSignal.timeout(limitMs)
  const verdict = await orAborted(ask(parts, part, AbortSignal.any([signal, deadline])), deadline).catch(
    (thrown: unknown) => {
      signal.throwIfAborted()
      parts.logger.warn({ part, err: thrown }, 'a model failed its test')
      return deadline.aborted ? 'timed-out' : verdictOf(thrown, isBundled(parts, part))
    }
  )
  const message = verdictMessage(verdict, language, { part, variableOf: environmentName })
  return { part, ok: isGood(verdict), tookMs: Math.round(performance.now() - started), message }
}

/** A model of this process may be too busy to notice that nobody waits any more. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

function ask(parts: TestedParts, part: ModelPart, signal: AbortSignal): Promise<ModelVerdict> {
  if (part === 'chat') return askChat(parts, signal)
  return part === 'embedding' ? askEmbedder(parts, signal) : askReranker(parts, signal)
}

async function askChat({ settings: { chat } }: TestedParts, signal: AbortSignal): Promise<ModelVerdict> {
  if (chat.baseUrl === '') return 'not-configured'
  const trial = await tryChatModel({ ...chat, timeoutMs: Math.min(chat.timeoutMs, TEST_LIMIT_MS) }, signal)
  return trial === 'called' ? 'works' : trial
}

async function askEmbedder({ embedder }: TestedParts, signal: AbortSignal): Promise<ModelVerdict> {
  await embedder.embedQuery(QUESTION, signal)
  return 'works'
}

/** Two texts, with whatever the reranker reads besides. */
async function askReranker({ embedder, reranker }: TestedParts, signal: AbortSignal): Promise<ModelVerdict> {
  const { vectors, tokenVectors, statistics } = reranker.needs
  const embedded = vectors || tokenVectors
  const [query, passages] = embedded
    ? await Promise.all([embedder.embedQuery(QUESTION, signal), embedder.embedPassages(PASSAGES, signal)])
    : [{ vector: new Float32Array(), tokenCount: 1 }, []]
  const candidates = PASSAGES.map((content, index) => ({
    chunkId: `test#${index}`,
    title: '',
    headingPath: [],
    content,
    metadata: {},
    tokenCount: passages[index]?.tokenCount ?? 1,
    ...passages[index]
  }))
  const request = { query: QUESTION, queryEmbedding: query, candidates, topN: 2 }
  const scores = await reranker.rerank({ ...request, ...(statistics ? { statistics: oneEach } : {}) }, signal)
  return scores.length === PASSAGES.length ? 'works' : 'unusable'
}

function isBundled({ settings }: TestedParts, part: ModelPart): boolean {
  return part !== 'chat' && settings[part].provider === 'bundled'
}

function verdictOf(thrown: unknown, bundled: boolean): ModelVerdict {
  const failure = thrown instanceof PortError && thrown.cause instanceof RemoteFailure ? thrown.cause : thrown
  if (failure instanceof RemoteFailure) {
    const { kind, code = '' } = failure
    return (kind === 'unknown-address' || kind === 'refused') && unknownModel.test(code) ? 'unknown-model' : kind
  }
  if (bundled) return 'bundled-failed'
  if (!(failure instanceof PortError)) throw thrown
  if (failure.failure === 'model-mismatch') return 'other-width'
  return failure.failure === 'invalid-argument' ? 'unusable-settings' : 'unusable'
}
