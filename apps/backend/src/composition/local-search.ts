import type { SearchResponse } from '@oncall-agent/api-contracts'
import { localReader } from '../auth/index.ts'
import type { SearchCommand } from '../cli/index.ts'
import { baseName } from './base-name.ts'
import { expectData, nothingIndexed } from './data-folder.ts'
import type { Parts } from './parts.ts'
import { structuredSearchOf } from './structured-search-of.ts'

/** Structured search at the command line: what `oncall index` has put there, as the local tenant. */
export async function searchLocally(
  parts: Parts,
  { request, knowledgeBases, language }: SearchCommand,
  signal: AbortSignal
): Promise<SearchResponse> {
  expectData(parts)
  // Opened first: on the command line a damaged or newer index is told as what it is.
  const index = await parts.index.get()
  const caller = await localReader(await parts.store.get(), knowledgeBases.map(baseName))
  const search = await structuredSearchOf(parts)
  const answer = await search.searchFor(caller)(request, { language, signal })
  if (answer.total > 0) return answer
  if (caller.readable.length === 0 || (await index.size()).chunks === 0) throw nothingIndexed(parts)
  return answer
}
