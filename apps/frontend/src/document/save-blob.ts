/** Milliseconds that a browser may take to begin saving before the bytes are let go. */
const KEPT_MS = 60_000

/** Lets the browser save bytes under a name; they are never opened as a page of this origin. */
export function saveBlob(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  // A folder's document is named by its path; a file on disk by the last part.
  link.download = name.split('/').at(-1) ?? name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
