import { onScopeDispose } from 'vue'

/** Milliseconds between two looks while something runs. */
const BUSY_MS = 1_000
/** First wait when nothing runs or a look failed; each further one doubles. */
const IDLE_MS = 4_000
/** The longest wait: what others start is seen within a minute. */
const IDLE_LIMIT_MS = 60_000

/**
 * Looks again and again, politely: every second while `look` says that something runs, ever less often while not,
 * never while the page is hidden, at once when it is shown again.
 * @param look resolves with whether something runs; it shows its own failures
 */
export function usePolling(look: () => Promise<boolean>): { readonly now: () => Promise<void> } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let idle = IDLE_MS
  let turn = 0
  let over = false

  async function now(): Promise<void> {
    clearTimeout(timer)
    const mine = ++turn
    const busy = await look().catch(() => false)
    // Another look began meanwhile, or nobody looks any more.
    if (mine !== turn || over) return
    const wait = busy ? BUSY_MS : idle
    idle = busy ? IDLE_MS : Math.min(idle * 2, IDLE_LIMIT_MS)
    if (!document.hidden) timer = setTimeout(() => void now(), wait)
  }
  function onVisibility(): void {
    clearTimeout(timer)
    if (document.hidden) return
    idle = IDLE_MS
    void now()
  }
  document.addEventListener('visibilitychange', onVisibility)
  onScopeDispose(() => {
    over = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisibility)
  })
  return {
    now: () => {
      idle = IDLE_MS
      return now()
    }
  }
}
