import { type Ref, shallowRef, watch } from 'vue'
import { type LocationQuery, useRoute, useRouter } from 'vue-router'
import { useListPlaces } from './list-places-store.ts'
import type { Trail } from './use-paged-list.ts'

/** No list of the product is longer; a mistyped number makes no longer trail than this. */
const PAGES_LIMIT = 10_000

/**
 * Keeps the page and the filters of a list in the address: `?page=2&cursor=…` and a field a filter that is set.
 * The filters take their first values from there.
 * @param list what is listed: the id of a knowledge base
 * @returns the trail of pages to give to the list
 */
export function useListPlace(list: string, filters: Readonly<Record<string, Ref<string>>>): Ref<Trail> {
  const route = useRoute()
  const router = useRouter()
  const places = useListPlaces()
  for (const [name, filter] of Object.entries(filters)) filter.value = textIn(route.query, name)
  const trail = shallowRef<Trail>(trailIn(route.query, places.of(list)?.trail ?? []))

  watch(
    [trail, ...Object.values(filters)],
    async () => {
      const set = Object.entries(filters).filter(([, filter]) => filter.value !== '')
      const query = { ...pageOf(trail.value), ...Object.fromEntries(set.map(([name, { value }]) => [name, value])) }
      places.remember(list, { query, trail: trail.value })
      // Replaced, so that "back" leaves the list, not its pages one by one.
      await router.replace({ query })
    },
    { flush: 'post' }
  )
  return trail
}

function pageOf(trail: Trail): { readonly page?: number; readonly cursor?: string } {
  const cursor = trail.at(-1)
  return cursor === undefined ? {} : { page: trail.length, cursor }
}

/** The way to the page of the address: as it was gone, or with the pages between unknown (a link, a reload). */
function trailIn(query: LocationQuery, gone: Trail): Trail {
  const cursor = textIn(query, 'cursor')
  const page = Number(textIn(query, 'page'))
  if (cursor === '' || !Number.isInteger(page) || page < 2 || page > PAGES_LIMIT) return [undefined]
  if (gone[page - 1] === cursor) return gone.slice(0, page)
  return [...Array.from({ length: page - 1 }, () => undefined), cursor]
}

function textIn(query: LocationQuery, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value : ''
}
