import { type Embedder, PortError, type StructuredIndex } from '@oncall-agent/retrieval'
import { DEFAULT_KNOWLEDGE_TYPES, DEFAULT_STRUCTURED_SETTINGS } from '@oncall-agent/retrieval'
import { entryOf, MemoryStructuredIndex, vectorOfText } from '@oncall-agent/retrieval/conformance'
import type { StoredSearch } from '../../store/index.ts'
import type { StructuredParts } from '../structured/structured-parts.ts'

export const DIMENSION = 16

export const runbooks = { tenantId: 'ada', knowledgeBaseId: 'runbooks' }
export const notes = { tenantId: 'ada', knowledgeBaseId: 'notes' }
export const foreign = { tenantId: 'eve', knowledgeBaseId: 'secret' }
export const ada = { tenantId: 'ada', userId: 'ada', readable: [runbooks, notes] }

/** What a room told of its searches. */
export interface Told {
  readonly stored: StoredSearch[]
  readonly embedder: PortError[]
  readonly engine: unknown[]
  readonly unrecorded: unknown[]
}

export interface StructuredBench {
  readonly parts: StructuredParts
  readonly log: { readonly insert: (search: StoredSearch) => Promise<void> }
  readonly told: Told
}

/** Stands for a model behind an address: the same text is the same vector. */
export function wordEmbedder(embedQuery?: Embedder['embedQuery']): Embedder {
  const embed = async (text: string) => ({ vector: vectorOfText(text, DIMENSION), tokenCount: 1 })
  const { fingerprint } = { fingerprint: { model: 'words', dimension: DIMENSION } }
  return { fingerprint, embedQuery: embedQuery ?? embed } as Embedder
}

/** A room over an index, with some of its parts replaced. */
export function benchOver(index: StructuredIndex, changed: Partial<StructuredParts> = {}): StructuredBench {
  const told: Told = { stored: [], embedder: [], engine: [], unrecorded: [] }
  const parts: StructuredParts = {
    index: async () => index,
    embedder: wordEmbedder(),
    settings: DEFAULT_STRUCTURED_SETTINGS,
    knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES,
    limits: { deadlineMs: 60_000, embedMs: 60_000 },
    deleted: { among: async () => new Set(), leaving: async () => [] },
    watch: {
      onEmbedderDown: (failure) => told.embedder.push(failure),
      onEngineFailure: (cause) => told.engine.push(cause),
      onUnrecorded: (_searchId, cause) => told.unrecorded.push(cause)
    },
    ...changed
  }
  return { parts, told, log: { insert: async (search) => void told.stored.push(search) } }
}

/** A small plant: two runbooks of pumps, one of a valve, a note, and ten alarms of one fan. */
export async function plantIndex(): Promise<MemoryStructuredIndex> {
  const index = new MemoryStructuredIndex({ dimension: DIMENSION, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
  const vector = (text: string) => ({ vector: vectorOfText(text, DIMENSION) })
  const documents = [
    entryOf(runbooks, 'pump', {
      knowledgeType: 'setup',
      project: 'plant-7',
      equipment: 'pump-1',
      errorCodes: ['E_PUMP_17'],
      title: '泵无法启动',
      body: 'E_PUMP_17：泵无法启动。先检查保险丝，再检查浮子开关。',
      ...vector('pump')
    }),
    entryOf(runbooks, 'pump-2', {
      project: 'plant-8',
      equipment: 'pump-2',
      title: 'Second pump',
      body: 'Check the float switch of the second pump.',
      ...vector('second')
    }),
    entryOf(runbooks, 'valve', { knowledgeType: 'setup', title: 'Valve', body: 'Turn the valve.', ...vector('valve') }),
    entryOf(notes, 'note', { title: 'Note', body: 'The float switch sticks in winter.' }),
    entryOf(foreign, 'theirs', { title: 'E_PUMP_17', body: 'pump float switch 保险丝', ...vector('pump') })
  ]
  const fans = Array.from({ length: 10 }, (_, at) =>
    entryOf(runbooks, `fan-${at}`, {
      project: `line-${at % 3}`,
      errorCodes: [`F${at}`],
      title: 'Fan',
      body: 'fan alarm'
    })
  )
  for (const document of [...documents, ...fans]) await index.replaceDocument(document)
  return index
}
