import type { ReadinessPart, SystemSummary } from '@oncall-agent/api-contracts'
import type { ModelState, StructuredIndex } from '@oncall-agent/retrieval'
import { type Probe, probeAll } from '../observability/index.ts'
import { freeSpace } from './disk-space.ts'
import type { Parts } from './parts.ts'

/** A job that is due and that nobody has taken for so long tells that nobody works. */
const IDLE_WORKERS_SECONDS = 600

/**
 * Every part that an answer needs, each asked within its own deadline; the messages are fixed.
 * @param chatModel how its last calls went; undefined where none is configured, and answers do without
 */
export function readiness(
  parts: Parts,
  chatModel: () => ModelState | undefined = () => undefined
): Promise<readonly ReadinessPart[]> {
  const jobs = parts.store.get().then((store) => store.jobs.counts(Date.now()))
  const probes: readonly Probe[] = [
    {
      name: 'business store',
      unavailable: 'The business store is unavailable.',
      check: async () => `jobs waiting: ${(await jobs).waiting}`
    },
    {
      name: 'knowledge index',
      unavailable: 'The knowledge index is unavailable.',
      check: async () => `chunks: ${(await (await parts.index.get()).size()).chunks}`
    },
    {
      name: 'embedder',
      unavailable: 'The embedding model is unavailable.',
      check: async () => modelState(parts.embedder.state)
    },
    {
      name: 'reranker',
      unavailable: 'The reranker is unavailable.',
      check: async () => modelState(parts.reranker.state ?? 'warm')
    },
    {
      name: 'jobs',
      unavailable: 'No worker takes up the jobs that are due.',
      check: async () => jobsState(await jobs)
    },
    {
      name: 'disk space',
      unavailable: 'The disk of the data folder is nearly full.',
      check: () => freeSpace(parts.dataDirectory)
    },
    ...searchProbes(parts),
    ...chatProbes(chatModel)
  ]
  return probeAll(probes, (part, err) => parts.logger.error({ part, err }, 'a part is not ready'))
}

/** An engine elsewhere is a part of its own; one search of nobody's documents tells whether it and its indices are there. */
function searchProbes({ searchEngine }: Parts): readonly Probe[] {
  if (searchEngine === undefined) return []
  const check = async () => searchOfNobody(await searchEngine.get())
  return [{ name: 'search', unavailable: 'The search engine is unavailable.', check }]
}

async function searchOfNobody(engine: StructuredIndex): Promise<string> {
  const nobody = { tenantId: 'nobody', knowledgeBaseId: 'nothing' }
  await engine.match({ pairs: [nobody], filters: {}, mode: 'all', clauses: [], titleBoost: 1, from: 0, size: 1 })
  return `${engine.engine} answers`
}

/** Nobody is asked: a call costs money, and the last answer has told. */
function chatProbes(chatModel: () => ModelState | undefined): readonly Probe[] {
  const state = chatModel()
  if (state === undefined) return []
  return [{ name: 'chat model', unavailable: 'The chat model is unavailable.', check: async () => modelState(state) }]
}

/** A model that is not loaded yet is ready all the same: its first use loads it. */
function modelState(state: ModelState): string {
  if (state === 'closed' || state === 'failed') throw new Error(`the model is ${state}`)
  return state
}

/** Jobs that wait behind others are no fault; a queue that nobody serves is. */
function jobsState({ waiting, running, oldestWaitingSeconds }: SystemSummary['jobs']): string {
  if (running === 0 && (oldestWaitingSeconds ?? 0) > IDLE_WORKERS_SECONDS) throw new Error('due jobs are not taken up')
  return `waiting: ${waiting}, running: ${running}`
}
