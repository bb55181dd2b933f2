import { onScopeDispose, shallowRef } from 'vue'
import { useRouter } from 'vue-router'

/**
 * Asks before a page with unsaved text is left; the browser asks in its own words before it is closed or reloaded.
 * @returns whether a question is open, and the answer to it: true leaves
 */
export function useUnsaved(isUnsaved: () => boolean) {
  const asking = shallowRef<((leave: boolean) => void) | null>(null)

  function answer(leave: boolean): void {
    const resolve = asking.value
    asking.value = null
    resolve?.(leave)
  }
  const forget = useRouter().beforeEach((to, from) => {
    if (to.path === from.path || !isUnsaved()) return true
    // A second way out while one is asked about: only the newest counts.
    answer(false)
    return new Promise<boolean>((resolve) => (asking.value = resolve))
  })
  const onUnload = (event: BeforeUnloadEvent): void => {
    if (isUnsaved()) event.preventDefault()
  }
  addEventListener('beforeunload', onUnload)
  onScopeDispose(() => {
    answer(false)
    forget()
    removeEventListener('beforeunload', onUnload)
  })
  return { asking, answer }
}
