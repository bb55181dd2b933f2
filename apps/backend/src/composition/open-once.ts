/**
 * Opens something at its first use and gives the same one to everyone after. A failed opening is not kept: the next
 * use tries again, so that a fault which was mended needs no restart.
 */
export function openOnce<T>(open: () => Promise<T>): OpenOnce<T> {
  let opened: Promise<T> | undefined
  return {
    get: () => {
      opened ??= open().catch((cause: unknown) => {
        opened = undefined
        throw cause
      })
      return opened
    },
    close: async (close) => {
      // What fails to open has been told to whoever asked for it, and leaves nothing to close.
      const value = await opened?.catch(() => undefined)
      if (value !== undefined) await close(value)
    }
  }
}

export interface OpenOnce<T> {
  get(): Promise<T>
  /** Closes it if it was ever opened. */
  close(close: (value: T) => Promise<void>): Promise<void>
}
