import { meantText, vectorPartOf } from '@oncall-agent/retrieval'
import type { StructuredAnswer, StructuredHit } from '@oncall-agent/retrieval'
import { answerFault } from '@oncall-agent/retrieval/conformance'
import type { ComparedAnswers } from '@oncall-agent/retrieval/conformance'
import type { Asked } from './ask.ts'
import { vectorOfWords } from './collection.ts'

/** Of a score, relative; scores below 1 are held to it absolutely. */
export const TOLERANCE = 1e-6

/** Gives a document's stored vector. */
export type VectorOf = (document: StructuredHit['document']) => Float32Array | undefined

/**
 * What differs between an engine's answer and the oracle's, or null.
 * @param ranks whether the order and every score must be the same; without, the same documents are enough
 */
export function difference(answers: ComparedAnswers, ranks: boolean): string | null {
  const { actual, all } = answers
  const top = Math.max(1, ...all.map((hit) => hit.score), ...all.map((hit) => hit.bm25))
  const abilities = { exactNearest: ranks, statistics: ranks ? 'scope' : 'engine', atomicReplacement: true } as const
  const fault = answerFault(answers, { abilities, tolerance: TOLERANCE * top })
  if (fault !== null || !ranks) return fault
  const reference = new Map(all.map((hit) => [keyOf(hit), hit]))
  for (const hit of actual.hits) {
    const expected = reference.get(keyOf(hit))!
    for (const part of ['score', 'bm25', 'vectorPart'] as const) {
      if (isClose(hit[part], expected[part])) continue
      return `${part} of ${keyOf(hit)} is ${hit[part]} instead of ${expected[part]}`
    }
  }
  return null
}

/** Whether the parts of a hit are what they should be, and add up to its score: `(1 - w)·BM25 + w·(cos + 1)`. */
export function partsFault(answer: StructuredAnswer, { question, settings }: Asked, vectorOf: VectorOf): string | null {
  const text = meantText(question)
  const query = text === undefined ? undefined : vectorOfWords(text)
  const last = answer.stages.findLast((stage) => stage.name !== 'embed' && stage.name !== 'facets')
  const isRescored = last?.rescore === 'done'
  const weight = last?.name === 'vector_only' ? 1 : isRescored ? settings.vectorWeight : 0
  for (const hit of answer.hits) {
    const { score, bm25, vectorPart, document } = hit
    const sum = (1 - weight) * bm25 + weight * vectorPart
    if (!isClose(score, sum)) return `score of ${keyOf(hit)} is ${score} instead of ${sum}`
    if (vectorPart === 0) continue
    if (weight === 0) return `${keyOf(hit)} has a vector part though nothing was rescored`
    const cosine = query === undefined ? 0 : vectorPartOf(query, vectorOf(document))
    if (!isClose(vectorPart, cosine)) return `vector part of ${keyOf(hit)} is ${vectorPart} instead of ${cosine}`
  }
  return isRescored ? windowFault(answer, settings.rrfWindow, vectorOf) : null
}

/** Whether the window was the best by BM25; only an answer that holds all that matched can tell. */
function windowFault({ hits, total }: StructuredAnswer, window: number, vectorOf: VectorOf): string | null {
  if (hits.length < total) return null
  const edge = hits.map((hit) => hit.bm25).toSorted((left, right) => right - left)[window - 1] ?? 0
  const rescored = hits.filter((hit) => hit.vectorPart > 0)
  if (rescored.length > window) return `${rescored.length} documents were rescored, not ${window}`
  const inside = hits.find((hit) => hit.bm25 > edge && hit.vectorPart === 0 && vectorOf(hit.document) !== undefined)
  if (inside !== undefined) return `${keyOf(inside)} stands in the window and was not rescored`
  const outside = rescored.find((hit) => hit.bm25 < edge)
  return outside === undefined ? null : `${keyOf(outside)} stands behind the window and was rescored`
}

export function isClose(left: number, right: number): boolean {
  return Math.abs(left - right) <= TOLERANCE * Math.max(1, Math.abs(right))
}

function keyOf({ document }: StructuredHit): string {
  return `${document.tenantId}/${document.knowledgeBaseId}/${document.documentId}`
}
