/** How old what is recorded may become: to write at each request would wait for the disk at each. */
const RECORD_EVERY_MS = 60_000

export interface UseRecorder {
  /**
   * Writes that something is used now, when the last time that is known is a minute ago. A write that fails is told to
   * the operator and stops nobody: on a full disk people must still be able to read.
   */
  record(lastUsedAt: number | null, write: (now: number) => Promise<void>): Promise<void>
}

export function createUseRecorder(clock: () => number, onUnrecorded: (failure: unknown) => void): UseRecorder {
  let failedAt = Number.NEGATIVE_INFINITY
  return {
    record: async (lastUsedAt, write) => {
      const now = clock()
      if (lastUsedAt !== null && now - lastUsedAt < RECORD_EVERY_MS) return
      // A file that is locked makes a write wait for seconds: not at each request.
      if (now - failedAt < RECORD_EVERY_MS) return
      try {
        await write(now)
      } catch (failure) {
        failedAt = now
        onUnrecorded(failure)
      }
    }
  }
}
