import { readonly, type Ref, ref } from 'vue'

/** Milliseconds: "5 minutes ago" needs no finer clock. */
const TICK_MS = 20_000

const now = ref(Date.now())
let ticking = false

/** The present, in ms since the epoch; one clock for the whole page. */
export function useNow(): Readonly<Ref<number>> {
  if (!ticking) {
    ticking = true
    setInterval(() => (now.value = Date.now()), TICK_MS)
  }
  return readonly(now)
}
