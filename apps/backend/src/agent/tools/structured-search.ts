import { type SearchResponse, searchRequestSchema } from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import { z } from 'zod'
import type { StructuredSearchTool } from '../../search/index.ts'
import type { AgentTool } from './agent-tool.ts'

const inputSchema = z.toJSONSchema(searchRequestSchema, { io: 'input' })

/** Contract 2 as a tool of the agent: documents by exact fields. What it finds is read and named, and not cited. */
export function createStructuredSearchTool(search: StructuredSearchTool, language: AnswerLanguage): AgentTool {
  return {
    name: 'structured_search',
    description:
      'Finds whole documents by exact fields (project, equipment, error codes, type) and keywords, and says how strictly ' +
      'they match. Use it for a known equipment or error code; its documents have ids and no markers. To cite what one ' +
      'says, call knowledge_retrieval with filters.documentIds.',
    inputSchema,
    permission: 'allow',
    call: async (input, { signal }) => ({ text: responseText(await search(input, { language, signal })) })
  }
}

/** JSON keeps the words of documents apart from ours: they can not leave their strings. */
function responseText({ status, total, hits, facets, banner }: SearchResponse): string {
  const documents = hits.map((hit) => {
    // How it was ranked says nothing to a model, which would take it for certainty.
    const { score: _, bm25: __, vector_part: ___, ...document } = hit
    return document
  })
  return JSON.stringify({ status, meaning: meaningOf[status], banner, total, documents, narrow_by: facets }, null, 1)
}

const meaningOf: Record<SearchResponse['status'], string> = {
  strict_hit: 'documents that match everything that was asked for',
  too_many: 'too many match; narrow by one of the values',
  loose_hit: 'nothing matches everything; these match a part, and may be of something else',
  vector_only: 'no words match; these are near in meaning only, and may be of something else',
  no_hit: 'nothing matches'
}
