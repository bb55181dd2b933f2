import type {
  ChunkToPublish,
  DocumentWriter,
  IndexedDocument,
  MetadataValue,
  ReadablePair,
  Scope
} from '../ports/index.ts'
import { chunksOf, documentOf, pairOf, unitVector } from './test-data.ts'
import type { Random } from './random.ts'

/** More than 16, so that no engine can keep its knowledge bases in a fixed handful of slots. */
const KNOWLEDGE_BASES = 20
const DOCUMENTS = 50
/** Documents replaced or deleted afterwards, so that answers cross tombstones. */
const CHANGES = 25
const MAX_CHUNKS = 5
const MAX_WORDS = 14

const WORDS = [
  'disk',
  'E_1027',
  '网关',
  '重启',
  'KubePodCrashLooping',
  'v1/chat',
  'timeout',
  '磁盘',
  '𠮷野',
  'the',
  'the',
  'the'
]
const LEVELS: readonly MetadataValue[] = [1, '1', true]
const ENVIRONMENTS: readonly MetadataValue[] = ['prod', 'dev']

export interface World {
  readonly pairs: readonly ReadablePair[]
  readonly documentIds: readonly string[]
}

/** Writes the same random documents to all writers, then replaces and deletes some of them. */
export async function writeRandomWorld(
  writers: readonly DocumentWriter[],
  random: Random,
  dimension: number
): Promise<World> {
  const pairs = Array.from({ length: KNOWLEDGE_BASES }, (_, index) => pairOf(`tenant-${index % 3}`, `kb-${index}`))
  const live = new Map<string, IndexedDocument>()
  const write = async (document: IndexedDocument): Promise<void> => {
    const chunks = randomChunks(random, dimension)
    live.set(document.documentId, document)
    for (const writer of writers) await writer.replaceDocument(document, chunks)
  }
  for (let index = 0; index < DOCUMENTS; index++) {
    await write(randomDocument(random, random.pick(pairs), `doc-${random.between(0, 9)}${index}`))
  }
  for (let change = 0; change < CHANGES; change++) {
    const document = random.pick([...live.values()])
    if (random.next() < 0.7) {
      await write({ ...document, version: document.version + 1, metadata: randomMetadata(random) })
    } else {
      live.delete(document.documentId)
      for (const writer of writers) await writer.deleteDocument(document, document.documentId)
    }
  }
  return { pairs, documentIds: [...live.keys()] }
}

/** Any union of knowledge bases, sometimes narrowed to documents, to metadata, or to both. */
export function randomScope(world: World, random: Random): Scope {
  const pairs = random.some(world.pairs, random.pick([0.05, 0.3, 0.7, 1]))
  return {
    pairs,
    ...(random.next() < 0.3 ? { documentIds: random.some(world.documentIds, 0.4) } : {}),
    ...(random.next() < 0.4 ? { metadata: randomMetadata(random) } : {})
  }
}

/** Words of a question; some occur nowhere, some twice. */
export function randomWords(random: Random): string {
  return Array.from({ length: random.between(1, 5) }, () => random.pick([...WORDS, 'nowhere'])).join(' ')
}

function randomDocument(random: Random, pair: ReadablePair, documentId: string): IndexedDocument {
  const rest = { title: random.pick(['', 'Gateway', '网关 runbook']), createdAt: random.between(1, 9) }
  return documentOf(pair, documentId, { ...rest, metadata: randomMetadata(random) })
}

function randomChunks(random: Random, dimension: number): ChunkToPublish[] {
  const drafts = Array.from({ length: random.between(1, MAX_CHUNKS) }, () => ({
    content: Array.from({ length: random.between(1, MAX_WORDS) }, () => random.pick(WORDS)).join(' '),
    headingPath: random.next() < 0.3 ? [random.pick(WORDS)] : [],
    metadata: random.next() < 0.2 ? randomMetadata(random) : {},
    vector: unitVector(dimension, random)
  }))
  return chunksOf(drafts)
}

function randomMetadata(random: Random): Record<string, MetadataValue> {
  return {
    ...(random.next() < 0.7 ? { level: random.pick(LEVELS) } : {}),
    ...(random.next() < 0.5 ? { env: random.pick(ENVIRONMENTS) } : {})
  }
}
