import type { StructuredSelection } from '@oncall-agent/retrieval'
import { pairKey } from '../indices/index.ts'

/** Values that an engine takes in one list. */
const LIST_LIMIT = 65_536

/** Queries that must all let a document through. They stand in filter context: nothing here moves a score. */
export function selectionFilter({ pairs, filters, without = [] }: StructuredSelection): object[] {
  const { project, equipment, knowledgeType, errorCodes } = filters
  return [
    scopeFilter([...new Set(pairs.map(pairKey))]),
    ...(project === undefined ? [] : [exactly('project', [project])]),
    ...(equipment === undefined ? [] : [exactly('equipment', [equipment])]),
    ...(knowledgeType === undefined ? [] : [exactly('knowledge_type', [knowledgeType])]),
    ...(errorCodes === undefined ? [] : [exactly('error_codes', errorCodes)]),
    // The port's limit is far below that of a list.
    ...(without.length === 0 ? [] : [{ bool: { must_not: [exactly('document_id', without)] } }])
  ]
}

function scopeFilter(keys: readonly string[]): object {
  const lists = Array.from({ length: Math.ceil(keys.length / LIST_LIMIT) }, (_, list) =>
    exactly('pair', keys.slice(list * LIST_LIMIT, (list + 1) * LIST_LIMIT))
  )
  return lists.length === 1 ? lists[0]! : { bool: { should: lists, minimum_should_match: 1 } }
}

/**
 * One of the values, whole. A list of terms knows no wildcard and no quote. Half a surrogate pair would arrive as a
 * replacement character and match one; no document has it (`replaceDocument` refuses it), so it is left out.
 */
function exactly(field: string, values: readonly string[]): object {
  return { terms: { [field]: values.filter((value) => value.isWellFormed()) } }
}
