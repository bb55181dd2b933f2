import { type KnowledgeIndex, LACK_OF_ENTRIES, PortError } from '@oncall-agent/retrieval'

/** What an index says that was made by a release without entries; undefined when it has them. @throws every other PortError */
export async function lackOfEntries(index: Pick<KnowledgeIndex, 'entries'>): Promise<PortError | undefined> {
  const entries = index.entries()[Symbol.asyncIterator]()
  try {
    await entries.next()
    return undefined
  } catch (thrown) {
    if (thrown instanceof PortError && thrown.failure === 'unavailable' && thrown.subject === LACK_OF_ENTRIES)
      return thrown
    throw thrown
  } finally {
    await entries.return?.()
  }
}
