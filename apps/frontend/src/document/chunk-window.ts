import { computed, ref } from 'vue'

/** Rows drawn at first, and added by each "show more": a list of thousands would take seconds to draw. */
export const WINDOW_ROWS = 200
/** Rows kept above a row that is jumped to, so that what comes before it can be read. */
const ROWS_BEFORE = 50

/** Which rows of a long list are drawn: a window that grows at either end, and jumps to a row outside of it. */
export function useChunkWindow(count: () => number) {
  const from = ref(0)
  const to = ref(WINDOW_ROWS)
  const last = computed(() => Math.min(to.value, count()))

  function earlier(): void {
    from.value = Math.max(from.value - WINDOW_ROWS, 0)
  }
  /** True when there were rows to show; otherwise they must be read first. */
  function later(): boolean {
    const wasAll = last.value >= count()
    to.value = last.value + WINDOW_ROWS
    return !wasAll
  }
  function reveal(index: number): void {
    if (index >= from.value && index < last.value) return
    from.value = Math.max(index - ROWS_BEFORE, 0)
    to.value = from.value + WINDOW_ROWS
  }
  return { from, last, earlier, later, reveal }
}
