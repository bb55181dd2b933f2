import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { useSession } from '../../session/session-store.ts'
import type { PromptPlace, PromptText } from './prompt-place.ts'

/** Text that was written and not saved. */
export interface Draft extends PromptText {
  /** Only of a new one. */
  readonly name: string
  /** The version that was edited; 0 for a new one. */
  readonly baseVersion: number
}

/** Where the text of one that does not exist yet is kept; no id has a space. */
const NEW = ' new'

/**
 * Unsaved text outlives its page, so that a session that ends takes nothing along: whoever signs in again finds it.
 * It is kept by person, and only in the memory of this tab.
 */
export const useDrafts = defineStore('prompt-drafts', () => {
  const session = useSession()
  const drafts = ref(new Map<string, Draft>())
  const owner = computed(() => session.user?.id ?? '')
  const keyOf = (place: PromptPlace, id: string | null): string => [owner.value, place, id ?? NEW].join('/')
  return {
    of: (place: PromptPlace, id: string | null): Draft | undefined => drafts.value.get(keyOf(place, id)),
    keep: (place: PromptPlace, id: string | null, draft: Draft): void => void drafts.value.set(keyOf(place, id), draft),
    drop: (place: PromptPlace, id: string | null): void => void drafts.value.delete(keyOf(place, id))
  }
})
