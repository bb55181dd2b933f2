import type { ReindexRun } from './reindex-run.ts'

/**
 * Lets the facts say what the index holds now. A process that dies before it leaves facts and index of different
 * opinions, which `oncall doctor` names and `--repair` mends, as a second `oncall reindex` does.
 */
export async function writeFacts({ parts, facts }: ReindexRun): Promise<void> {
  for (const published of facts.values()) {
    await parts.store.transaction(async (tables) => {
      const document = await tables.documents.find(published.documentId)
      // Another version was published since: its task has written down what is so.
      if (document?.indexedVersion !== published.version) return
      await tables.documents.recordPublished(published)
    })
  }
}
