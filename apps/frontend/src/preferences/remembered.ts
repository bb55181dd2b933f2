/** Small texts that outlive the page, in the browser's own storage; a browser that forbids it forgets. */
export function remembered(prefix: string) {
  return {
    read(name: string): string | null {
      try {
        return localStorage.getItem(`${prefix}.${name}`)
      } catch {
        // Storage is switched off: nothing was remembered.
        return null
      }
    },
    write(name: string, value: string): void {
      try {
        localStorage.setItem(`${prefix}.${name}`, value)
      } catch {
        // Full or switched off: the choice holds until the page is left.
      }
    }
  }
}
