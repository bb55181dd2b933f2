import { AppError } from '@oncall-agent/api-contracts'
import type { ReindexRequest, ReindexWatch } from '../cli/index.ts'
import { createDocumentExtractor, reindex, type ReindexReport } from '../knowledge/index.ts'
import { expectData } from './data-folder.ts'
import { knowledgeSettings } from './knowledge-settings.ts'
import type { Parts } from './parts.ts'
import { throttled } from './throttled.ts'

/** Makes the index of the data folder anew with the configured embedder; servers of the folder go on meanwhile. */
export async function reindexLocally(
  parts: Parts,
  { throttle = 100 }: ReindexRequest,
  watch: ReindexWatch
): Promise<ReindexReport> {
  expectData(parts)
  if (throttle < 1 || throttle > 100) throw wrongThrottle(throttle)
  const { dataDirectory, tokenCounter, generations } = parts
  const settings = knowledgeSettings(parts.settings)
  const extractor = createDocumentExtractor({ limits: settings.extraction, tokenCounter })
  const embedder = throttled(parts.embedder, throttle / 100)
  try {
    const store = await parts.store.get()
    const work = { store, generations: generations(), embedder, extractor, settings, dataDirectory }
    return await reindex(work, watch)
  } finally {
    extractor.close()
  }
}

function wrongThrottle(throttle: number): AppError {
  return new AppError('VALIDATION_FAILED', {
    operation: 'rebuild index',
    subject: `--throttle ${throttle}`,
    message: 'The throttle is a percentage from 1 to 100.'
  })
}
