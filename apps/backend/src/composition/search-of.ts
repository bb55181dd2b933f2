import type { Settings } from '../config/index.ts'
import { createSearch, type EndedStage, type EvidenceLimits, type Search } from '../search/index.ts'
import type { Parts } from './parts.ts'

/** The search room over the parts of this process; opens what is not open yet. */
export async function searchOf(parts: Parts, onStage?: (stage: EndedStage) => void): Promise<Search> {
  const { settings, logger, embedder, reranker, store, index } = parts
  const { runs, documents } = await store.get()
  const deletedAmong = (documentIds: readonly string[]) => documents.deletedAmong(documentIds)
  return createSearch({
    parts: {
      index: await index.get(),
      embedder,
      reranker,
      limits: evidenceLimits(settings),
      deletedAmong,
      ...(onStage === undefined ? {} : { onStage })
    },
    runs,
    onUnrecorded: (runId, err) => logger.error({ runId, err }, 'the run could not be recorded')
  })
}

function evidenceLimits({ retrieval }: Settings): EvidenceLimits {
  return {
    candidates: retrieval.candidates,
    deadlineMs: retrieval.deadlineMs,
    embedMs: retrieval.embedDeadlineMs,
    recallMs: retrieval.recallDeadlineMs,
    rerankMs: retrieval.rerankDeadlineMs
  }
}
