import type { StructuredSettings } from '@oncall-agent/retrieval'
import type { Settings } from '../config/index.ts'
import { createStructuredSearch, type StructuredSearch, type StructuredWatch } from '../search/index.ts'
import type { Parts } from './parts.ts'

/** What is measured of searches, beside what is logged. */
export type SearchMeasures = Pick<StructuredWatch, 'onEmbedderDown' | 'onEngineFailure'>

/** Structured search over the parts of this process; the engine is opened by its first search. */
export async function structuredSearchOf(parts: Parts, measures?: SearchMeasures): Promise<StructuredSearch> {
  const { settings, logger, embedder, structured } = parts
  const store = await parts.store.get()
  const { documents } = store
  return createStructuredSearch({
    parts: {
      index: () => structured.get(),
      embedder,
      settings: structuredSettings(settings),
      knowledgeTypes: settings.search.knowledgeTypes,
      limits: { deadlineMs: settings.retrieval.deadlineMs, embedMs: settings.retrieval.embedDeadlineMs },
      deleted: {
        among: (documentIds) => documents.deletedAmong(documentIds),
        leaving: (pairs, limit) =>
          documents.leavingIndex(
            pairs.map(({ knowledgeBaseId }) => knowledgeBaseId),
            limit
          )
      },
      watch: {
        onEmbedderDown: (err) => {
          logger.warn({ err }, 'the embedder is down: a search was answered by words alone')
          measures?.onEmbedderDown(err)
        },
        onEngineFailure: (err) => measures?.onEngineFailure(err),
        onUnrecorded: (searchId, err) => logger.error({ searchId, err }, 'the search could not be recorded')
      }
    },
    store
  })
}

export function structuredSettings({ search }: Settings): StructuredSettings {
  const { strictMaxHits, titleBoost, rrfWindow, vectorWeight, maxResultWindow, looseMinMatch } = search
  return { strictMaxHits, titleBoost, rrfWindow, vectorWeight, maxResultWindow, looseMinMatch }
}
