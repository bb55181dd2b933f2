import { PAGE_LIMIT, type Prompt } from '@oncall-agent/api-contracts'
import type { PromptCalls } from './prompt-place.ts'

/**
 * What stands under a name now. An id of the product's own text gives that text, also when an own one has taken its
 * place meanwhile: that one is found in the list, under the same name and another id.
 * @throws ApiError NOT_FOUND when it was deleted
 */
export async function newestOf(
  calls: PromptCalls,
  { id, name }: Pick<Prompt, 'id' | 'name'>,
  signal: AbortSignal
): Promise<Prompt> {
  const found = await calls.one({ params: { id }, signal })
  if (found.version > 0) return found
  let cursor: string | null = null
  do {
    const query: { limit: number; cursor?: string } =
      cursor === null ? { limit: PAGE_LIMIT } : { limit: PAGE_LIMIT, cursor }
    const page = await calls.list({ query, signal })
    const own = page.items.find((each) => each.name === name)
    if (own !== undefined) return own
    cursor = page.nextCursor
  } while (cursor !== null)
  return found
}
