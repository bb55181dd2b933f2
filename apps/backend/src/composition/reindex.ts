import { AppError } from '@oncall-agent/api-contracts'
import type { RebuildReport, ReindexRequest, ReindexWatch } from '../cli/index.ts'
import {
  createDocumentExtractor,
  type FillReport,
  fillSearchEngine,
  type FillWatch,
  reindex
} from '../knowledge/index.ts'
import { expectData } from './data-folder.ts'
import { knowledgeSettings } from './knowledge-settings.ts'
import type { Parts } from './parts.ts'
import { throttled } from './throttled.ts'

/**
 * Makes the index of the data folder anew with the configured embedder, and fills the search engine from it, if there is
 * one; servers of the folder go on meanwhile.
 */
export async function reindexLocally(
  parts: Parts,
  { throttle = 100 }: ReindexRequest,
  watch: ReindexWatch
): Promise<RebuildReport> {
  expectData(parts)
  if (throttle < 1 || throttle > 100) throw wrongThrottle(throttle)
  const { dataDirectory, tokenCounter, generations } = parts
  const settings = knowledgeSettings(parts.settings)
  const extractor = createDocumentExtractor({ limits: settings.extraction, tokenCounter })
  const embedder = throttled(parts.embedder, throttle / 100)
  try {
    const store = await parts.store.get()
    const work = { store, generations: generations(), embedder, extractor, settings, dataDirectory }
    const report = await reindex(work, watch)
    const searchEngine = await fillFrom(parts, watch).catch(replacedAlone)
    return searchEngine === undefined ? report : { ...report, searchEngine }
  } finally {
    extractor.close()
  }
}

/** Fills the search engine from the index as it is. @throws AppError CONFIG_INVALID where there is none */
export async function fillSearchEngineLocally(parts: Parts, watch: FillWatch): Promise<FillReport> {
  expectData(parts)
  const report = await fillFrom(parts, watch)
  if (report !== undefined) return report
  throw new AppError('CONFIG_INVALID', {
    operation: 'fill search engine',
    subject: 'search.engine',
    message: 'Structured search looks in the index itself; there is no search engine to fill.',
    hint: 'To have one, set search.engine and search.url.'
  })
}

async function fillFrom(parts: Parts, watch: FillWatch): Promise<FillReport | undefined> {
  const searchEngine = await parts.searchEngine?.get()
  if (searchEngine === undefined) return undefined
  const [store, index] = await Promise.all([parts.store.get(), parts.index.get()])
  return fillSearchEngine({ store, index, searchEngine, dataDirectory: parts.dataDirectory }, watch)
}

/** The long part is done, and must not be done again because of this one. */
function replacedAlone(thrown: unknown): never {
  if (!(thrown instanceof AppError)) throw thrown
  throw new AppError(thrown.code, {
    operation: thrown.operation,
    subject: thrown.subject,
    message: `The index was replaced; filling the search engine from it did not end well: ${thrown.message}`,
    hint: `${thrown.hint} \`oncall reindex --search-only\` fills it, and embeds nothing.`.trimStart(),
    details: thrown.details,
    cause: thrown
  })
}

function wrongThrottle(throttle: number): AppError {
  return new AppError('VALIDATION_FAILED', {
    operation: 'rebuild index',
    subject: `--throttle ${throttle}`,
    message: 'The throttle is a percentage from 1 to 100.'
  })
}
