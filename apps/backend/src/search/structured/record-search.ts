import { randomUUID } from 'node:crypto'
import type { StructuredAnswer } from '@oncall-agent/retrieval'
import type { Caller } from '../caller.ts'
import type { AskedSearch } from './check-search.ts'
import { toldSettings } from './setting-names.ts'
import type { SearchLog, StructuredWatch } from './structured-parts.ts'

/**
 * Stores a search that was answered and returns its id; null when it could not be stored. The answer is whole then, and
 * someone may be reading it because the disk is full: it is given, without an id that would name nothing.
 */
export async function recordSearch(
  { request, question, settings }: AskedSearch,
  answer: StructuredAnswer,
  caller: Caller,
  { log, onUnrecorded }: { readonly log: SearchLog } & Pick<StructuredWatch, 'onUnrecorded'>
): Promise<string | null> {
  const searchId = randomUUID()
  try {
    await log.insert({
      searchId,
      tenantId: caller.tenantId,
      userId: caller.userId,
      createdAt: Date.now(),
      status: answer.status,
      request,
      scope: question.pairs,
      settings: toldSettings(settings),
      shown: answer.hits.map(({ document }, at) => ({
        documentId: document.documentId,
        knowledgeBaseId: document.knowledgeBaseId,
        title: document.title,
        rank: question.from + at + 1
      }))
    })
    return searchId
  } catch (cause) {
    onUnrecorded(searchId, cause)
    return null
  }
}
