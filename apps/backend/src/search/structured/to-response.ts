import type { SearchHit, SearchResponse } from '@oncall-agent/api-contracts'
import type { StructuredAnswer, StructuredHit, StructuredStage } from '@oncall-agent/retrieval'
import type { AskedSearch } from './check-search.ts'
import { type Excerpt, excerptsOf } from './excerpt.ts'
import { toldSettings } from './setting-names.ts'

/** Thousandths of a millisecond tell nothing. */
const TOOK_DECIMALS = 100

/** The answer of contract 2, in its own words. */
export function toResponse(
  { question, settings }: AskedSearch,
  answer: StructuredAnswer,
  searchId: string | null
): SearchResponse {
  const { status, total, facets, facetsTruncated, banner } = answer
  const excerpts = excerptsOf(
    answer.hits.map(({ document }) => document.body),
    question
  )
  return {
    status,
    total,
    hits: answer.hits.map((hit, rank) => toHit(hit, excerpts[rank]!)),
    ...(facets === undefined ? {} : { facets }),
    ...(facetsTruncated === undefined ? {} : { facets_truncated: facetsTruncated }),
    ...(banner === undefined ? {} : { banner }),
    search_id: searchId,
    stages: answer.stages.map(toStage),
    settings: toldSettings(settings)
  }
}

function toHit({ document, score, bm25, vectorPart }: StructuredHit, excerpt: Excerpt): SearchHit {
  return {
    document_id: document.documentId,
    knowledge_base_id: document.knowledgeBaseId,
    knowledge_type: document.knowledgeType,
    project: document.project ?? null,
    equipment: document.equipment ?? null,
    error_codes: document.errorCodes,
    title: document.title,
    excerpt: excerpt.text,
    excerpt_start: excerpt.start,
    excerpt_end: excerpt.end,
    created_at: document.createdAt,
    score,
    bm25,
    vector_part: vectorPart
  }
}

function toStage({ name, status, found, tookMs, rescore, reason }: StructuredStage): SearchResponse['stages'][number] {
  return {
    name,
    status,
    found,
    took_ms: Math.round(tookMs * TOOK_DECIMALS) / TOOK_DECIMALS,
    ...(rescore === undefined ? {} : { rescore }),
    ...(reason === undefined ? {} : { reason })
  }
}
