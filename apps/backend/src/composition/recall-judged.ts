import {
  checkStructuredRequest,
  type JudgedSearch,
  meantText,
  searchStructured,
  type StructuredIndex,
  type StructuredQuestion,
  type StructuredSettings,
  type TuneCandidate
} from '@oncall-agent/retrieval'
import { translatePortError } from '../observability/index.ts'
import type { JudgedSearchRecord } from '../search/index.ts'

/** What judged searches are asked again with. */
export interface RecallParts {
  readonly index: StructuredIndex
  readonly embed: (text: string, signal?: AbortSignal) => Promise<Float32Array>
  /** As they are in effect. */
  readonly settings: StructuredSettings
  readonly knowledgeTypes: readonly string[]
}

export interface RecallPlan {
  readonly titleBoosts: readonly number[]
  /** Documents: the widest window of all points that are compared. */
  readonly window: number
}

/** Why a judged search says nothing about settings: none of its documents helped; or none that did is found by words now. */
export type LeftOut = 'nothing_helped' | 'not_found_now'

/** Documents behind the window that are replayed, too: one page. */
const BEHIND_WINDOW = 10
/** Any but 0, at which no vector is asked for; the order is made anew from the parts of the scores. */
const SOME_WEIGHT = 0.5

/**
 * Asks a judged search again, once for each title boost, as deep as any of the compared points looks. The stage is the one
 * that answers now: documents come and go.
 * @throws AppError of the index, and of the embedder: without its vectors there is nothing to compare
 */
export async function recallJudged(
  record: JudgedSearchRecord,
  parts: RecallParts,
  plan: RecallPlan,
  signal: AbortSignal
): Promise<JudgedSearch | LeftOut> {
  const helpful = record.verdicts.filter(({ verdict }) => verdict === 'up').map(({ documentId }) => documentId)
  if (helpful.length === 0) return 'nothing_helped'
  const question = questionOf(record, parts)
  // Without words and sentence there is one order, whatever the settings.
  if (question === undefined || meantText(question) === undefined) return 'not_found_now'
  const recalls = new Map<number, readonly TuneCandidate[]>()
  for (const titleBoost of plan.titleBoosts) {
    const candidates = await recall(question, parts, { titleBoost, window: plan.window }, signal)
    if (candidates === undefined) return 'not_found_now'
    recalls.set(titleBoost, candidates)
  }
  const found = new Set([...recalls.values()].flat().map(({ documentId }) => documentId))
  if (!helpful.some((documentId) => found.has(documentId))) return 'not_found_now'
  return { id: nameOf(question), judgements: new Map(helpful.map((documentId) => [documentId, 1])), recalls }
}

/** Undefined when it may not be asked any more, for a type that is not configured now. */
function questionOf({ request, scope }: JudgedSearchRecord, parts: RecallParts): StructuredQuestion | undefined {
  const { from: _, from_: __, size: ___, ...anew } = request
  const { maxResultWindow } = parts.settings
  return checkStructuredRequest(anew, { pairs: scope, knowledgeTypes: parts.knowledgeTypes, maxResultWindow }).question
}

/** The same for repeats of a question, whoever asked it. */
function nameOf({ filters, keywords, queryText, mode }: StructuredQuestion): string {
  return JSON.stringify([keywords.map(({ text }) => text), queryText ?? null, filters, mode])
}

/** Best by words first; undefined where words do not answer. */
async function recall(
  question: StructuredQuestion,
  { index, embed, settings }: RecallParts,
  { titleBoost, window }: { readonly titleBoost: number; readonly window: number },
  signal: AbortSignal
): Promise<readonly TuneCandidate[] | undefined> {
  const { maxWindow } = index.capabilities
  const asked = { ...question, from: 0, size: Math.min(window + BEHIND_WINDOW, maxWindow) }
  const varied = { ...settings, titleBoost, rrfWindow: Math.min(window, maxWindow), vectorWeight: SOME_WEIGHT }
  const parts = { index, settings: varied, embed, now: () => performance.now() }
  const answer = await throughEngine(searchStructured(asked, parts, signal))
  if (answer.embedderFailure !== undefined) throw translatePortError(answer.embedderFailure)
  if (answer.status !== 'strict_hit' && answer.status !== 'loose_hit') return undefined
  const inCorpusOrder = answer.hits.toSorted(
    (left, right) =>
      left.document.createdAt - right.document.createdAt ||
      (left.document.documentId < right.document.documentId ? -1 : 1)
  )
  return inCorpusOrder
    .toSorted((left, right) => right.bm25 - left.bm25)
    .map(({ document: { documentId }, bm25, vectorPart }) => ({ documentId, bm25, vectorPart }))
}

async function throughEngine<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer
  } catch (thrown) {
    throw translatePortError(thrown)
  }
}
