import type { ChunkToPublish, IndexedDocument, Metadata, ReadablePair, Scope } from '@oncall-agent/retrieval'
import { chunksOf, documentOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import type { ChunkDraft } from '@oncall-agent/retrieval/conformance'
import { TEST_DIMENSION } from './temporary-index.ts'

const WORDS = ['alpha', '重启', '服务', 'beta', 'E_CONN', 'gamma', '告警', 'delta', 'v1/chat', 'x', 'y', 'z']
const QUESTIONS = ['alpha', '重启', '重', 'beta', 'e_conn', 'conn', 'rare', 'nothing', 'x', 'guide']
const FILTERS: readonly Metadata[] = [{ language: 'zh' }, { level: 1 }, { level: '1', language: 'en' }, { level: true }]
/** Above 15, where a posting's frequency goes to the overflow list. */
const MANY = 40

/** A document of `chunks` random chunks; vectors are sometimes one of a few, so that scores tie. */
export function randomDocument(
  random: Random,
  pair: ReadablePair,
  documentId: string,
  chunks: number
): { document: IndexedDocument; chunks: ChunkToPublish[] } {
  const document = documentOf(pair, documentId, {
    version: random.between(1, 1_000_000),
    title: random.pick(['', 'alpha guide', '服务']),
    createdAt: random.between(1, 3),
    metadata: { language: random.pick(['zh', 'en']), level: 1 }
  })
  return { document, chunks: chunksOf(Array.from({ length: chunks }, () => randomDraft(random))) }
}

function randomDraft(random: Random): ChunkDraft {
  const words = Array.from({ length: random.between(0, 8) }, () => random.pick(WORDS))
  if (random.next() < 0.05) words.push(...Array.from({ length: random.between(1, MANY) }, () => 'rare'))
  return {
    content: words.join(' '),
    metadata: random.next() < 0.5 ? { language: random.pick(['zh', 'en']), level: random.pick([1, '1', true]) } : {},
    vector: randomVector(random)
  }
}

/** One of eight directions, or any. */
export function randomVector(random: Random): Float32Array {
  if (random.next() < 0.3) return unitVector(TEST_DIMENSION, new Random(random.between(1, 8)))
  return unitVector(TEST_DIMENSION, random)
}

export function randomTokens(random: Random): string[] {
  return Array.from({ length: random.between(1, 5) }, () => random.pick(QUESTIONS))
}

export function randomScope(random: Random, pairs: readonly ReadablePair[], documentIds: readonly string[]): Scope {
  const metadata = random.pick(FILTERS)
  return {
    pairs: random.some(pairs, 0.7),
    ...(random.next() < 0.3 ? { documentIds: random.some(documentIds, 0.3) } : {}),
    ...(random.next() < 0.3 ? { metadata } : {})
  }
}
