import { onScopeDispose } from 'vue'

/** Whether the browser has a good use for it: a file input takes files, a field takes dragged text. */
function isTaken({ target, dataTransfer }: DragEvent): boolean {
  if (!(target instanceof Element)) return false
  const hasFiles = dataTransfer?.types.includes('Files') === true
  return target.closest(hasFiles ? 'input[type=file]' : 'input, textarea, [contenteditable]') !== null
}

function keep(event: DragEvent): void {
  // Whoever wants it has said so on its way up to the window.
  if (event.defaultPrevented || isTaken(event)) return
  event.preventDefault()
  if (event.dataTransfer) event.dataTransfer.dropEffect = 'none'
}

/** Keeps the page open when something is dropped beside a place for it: a browser would open that file instead. */
export function useDropGuard(): void {
  addEventListener('dragover', keep)
  addEventListener('drop', keep)
  onScopeDispose(() => {
    removeEventListener('dragover', keep)
    removeEventListener('drop', keep)
  })
}
