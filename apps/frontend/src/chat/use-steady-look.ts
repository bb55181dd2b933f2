import { onScopeDispose } from 'vue'

/** Milliseconds between two looks: what another tab asked is seen while it is still being answered. */
const EVERY_MS = 3_000

/** Looks every few seconds while the page is visible, and at once when it is shown again; never two looks at once. */
export function useSteadyLook(look: () => Promise<void>): void {
  let looking = false
  async function now(): Promise<void> {
    if (looking || document.hidden) return
    looking = true
    try {
      await look()
    } finally {
      looking = false
    }
  }
  const shown = (): void => void now()
  const timer = setInterval(shown, EVERY_MS)
  document.addEventListener('visibilitychange', shown)
  onScopeDispose(() => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', shown)
  })
}
