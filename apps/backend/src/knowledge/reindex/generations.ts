import type { KnowledgeIndex } from '@oncall-agent/retrieval'

/** The index that is served and the one that is made beside it; given by whoever knows the engine. */
export interface IndexGenerations {
  /** What is served now, to list and read it, whatever embedder it was built with; an empty one when there is none. */
  openOld(): Promise<KnowledgeIndex>
  /** The new one, with what an earlier run has put into it for the same embedder. */
  openNext(): Promise<KnowledgeIndex>
  /**
   * From now on until `commit` or `cancel` nobody writes to either. `commit` gives the old one the new one's content in
   * one transaction; a process that dies before it has changed nothing.
   */
  beginReplacement(): { commit(): void; cancel(): void }
  /** Removes the new one, when it has been put in place. */
  discardNext(): Promise<void>
}
