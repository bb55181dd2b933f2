/** Lets one piece of work at a time go on with a document, within this process. */
export interface DocumentLocks {
  /** Runs `work` when all that came before it for the document has ended, well or badly. */
  hold<Result>(documentId: string, work: () => Promise<Result>): Promise<Result>
}

/** Publishing and deleting share one of these: they must never interleave. */
export function createDocumentLocks(): DocumentLocks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async hold(documentId, work) {
      const before = last.get(documentId)
      const mine = before === undefined ? work() : before.then(work, work)
      last.set(documentId, mine)
      try {
        return await mine
      } finally {
        if (last.get(documentId) === mine) last.delete(documentId)
      }
    }
  }
}
