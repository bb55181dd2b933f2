import { defineStore } from 'pinia'
import { ref } from 'vue'

export interface Announcement {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
}

/** Milliseconds that good news stays; bad news stays until it is put away. */
const SHOWN_MS = 6_000

/** Results that are told wherever one is: seen as a card, heard through a live region. */
export const useAnnouncements = defineStore('announcements', () => {
  const shown = ref<readonly Announcement[]>([])
  let last = 0

  function dismiss(id: number): void {
    shown.value = shown.value.filter((each) => each.id !== id)
  }
  function announce(tone: Announcement['tone'], text: string): void {
    const id = ++last
    shown.value = [...shown.value.filter((each) => each.text !== text), { id, tone, text }]
    if (tone === 'good') setTimeout(() => dismiss(id), SHOWN_MS)
  }
  return { shown, announce, dismiss }
})
