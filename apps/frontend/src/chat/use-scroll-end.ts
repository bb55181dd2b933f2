import { nextTick, onBeforeUnmount, onMounted, ref, type ShallowRef } from 'vue'

/** Pixels from the end of the page within which somebody reads its end. */
const NEAR_PX = 120

/**
 * Keeps the end of the page in view while it grows, but only for who is there already.
 * @param grows the element that grows
 */
export function useScrollEnd(grows: Readonly<ShallowRef<HTMLElement | null>>) {
  const atEnd = ref(true)
  const page = document.documentElement
  let lastTop = 0
  function look(): void {
    const near = page.scrollHeight - window.innerHeight - window.scrollY < NEAR_PX
    // A page that grew beneath the reader is not one that they scrolled away from.
    if (near) atEnd.value = true
    else if (window.scrollY < lastTop) atEnd.value = false
    lastTop = window.scrollY
  }
  function follow(): void {
    if (atEnd.value) window.scrollTo({ top: page.scrollHeight, behavior: 'instant' })
  }
  async function toEnd(): Promise<void> {
    atEnd.value = true
    await nextTick()
    follow()
  }
  const watcher = new ResizeObserver(follow)
  onMounted(() => {
    window.addEventListener('scroll', look, { passive: true })
    if (grows.value !== null) watcher.observe(grows.value)
  })
  onBeforeUnmount(() => {
    window.removeEventListener('scroll', look)
    watcher.disconnect()
  })
  return { atEnd, toEnd }
}
