/** A wait that can be ended early, also before it began. */
export interface Pause {
  /** Resolves after so many milliseconds, or at once when `wake` was called since the last wait. */
  until(milliseconds: number): Promise<void>
  wake(): void
}

export function createPause(): Pause {
  let isAwake = false
  let end: (() => void) | undefined
  return {
    until: async (milliseconds) => {
      if (!isAwake) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, milliseconds)
        end = resolve
        await promise
        clearTimeout(timer)
      }
      end = undefined
      isAwake = false
    },
    wake: () => {
      isAwake = true
      end?.()
    }
  }
}
