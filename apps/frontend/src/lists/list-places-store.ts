import { defineStore } from 'pinia'
import type { LocationQueryRaw } from 'vue-router'
import type { Trail } from './use-paged-list.ts'

interface Place {
  readonly query: LocationQueryRaw
  readonly trail: Trail
}

/** Where each list was left, by what it lists: for the ways back to it, and back from there to earlier pages. */
export const useListPlaces = defineStore('list-places', () => {
  const places = new Map<string, Place>()
  return {
    of: (list: string): Place | undefined => places.get(list),
    remember: (list: string, place: Place): void => void places.set(list, place)
  }
})
