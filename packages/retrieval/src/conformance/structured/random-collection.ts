import type { ReadablePair, StructuredEntry } from '../../ports/index.ts'
import { DEFAULT_KNOWLEDGE_TYPES } from '../../structured/index.ts'
import type { StructuredRequest } from '../../structured/index.ts'
import { Random } from '../random.ts'
import { pairOf, unitVector } from '../test-data.ts'
import { entryOf } from './structured-data.ts'

const KNOWLEDGE_BASES = 4
const MAX_DOCUMENTS = 30
const SEARCHES = 12
const MAX_WORDS = 12

/** Words of titles and bodies. The common ones make strict totals cross the limit; the last is the edge of a surrogate pair. */
const WORDS = ['the', 'the', 'the', 'disk', 'E_1027', '网关', '重启', 'KubePodCrashLooping', 'v1/chat', '磁盘', '𠮷野']
const KEYWORDS = [
  ...WORDS,
  'e_1027',
  '网',
  '盘',
  'crash',
  '磁铁',
  '网关重启',
  'the disk 磁盘',
  '报错E_1027',
  'nowhere',
  '？！',
  ' '
]
const PROJECTS = ['pay', 'Pay', '网关', 'ops']
const EQUIPMENT = ['gw-1', 'gw-2', 'db']
const ERROR_CODES = Array.from({ length: 26 }, (_, number) => `E${10 + number}`)

/** A generated collection with searches; the same seed gives the same. Its tenants are its own, so one index can hold many. */
export interface StructuredCollection {
  readonly seed: number
  /** No two have one key. */
  readonly entries: readonly StructuredEntry[]
  readonly searches: readonly StructuredSearch[]
}

export interface StructuredSearch {
  /** Passes `checkStructuredRequest` with the default types. */
  readonly request: StructuredRequest
  readonly pairs: readonly ReadablePair[]
}

export function structuredCollection(seed: number, dimension: number): StructuredCollection {
  const random = new Random(seed)
  const pairs = Array.from({ length: KNOWLEDGE_BASES }, (_, number) =>
    pairOf(`t${seed}-${number % 2}`, `kb-${number >> 1}`)
  )
  const entries = Array.from({ length: random.between(0, MAX_DOCUMENTS) }, (_, number) =>
    randomEntry(random, { pair: random.pick(pairs), documentId: `d${random.between(0, 9)}-${number}`, dimension })
  )
  const searches = Array.from({ length: SEARCHES }, () => ({
    request: randomRequest(random),
    pairs: random.some(pairs, random.pick([0.4, 0.8, 1]))
  }))
  return { seed, entries, searches }
}

interface EntryPlace {
  readonly pair: ReadablePair
  readonly documentId: string
  readonly dimension: number
}

function randomEntry(random: Random, { pair, documentId, dimension }: EntryPlace): StructuredEntry {
  return entryOf(pair, documentId, {
    knowledgeType: random.pick(DEFAULT_KNOWLEDGE_TYPES),
    ...maybe(random, 0.7, () => ({ project: random.pick(PROJECTS) })),
    ...maybe(random, 0.5, () => ({ equipment: random.pick(EQUIPMENT) })),
    errorCodes: random.some(ERROR_CODES, random.pick([0, 0.1, 0.5])),
    title: words(random, random.between(0, 3)),
    body: words(random, random.between(0, MAX_WORDS)),
    createdAt: random.between(1, 9),
    ...maybe(random, 0.7, () => ({ vector: unitVector(dimension, random) }))
  })
}

function randomRequest(random: Random): StructuredRequest {
  return {
    ...maybe(random, 0.2, () => ({ project: random.pick(PROJECTS) })),
    ...maybe(random, 0.1, () => ({ equipment: random.pick(EQUIPMENT) })),
    ...maybe(random, 0.2, () => ({ error_codes: random.some(ERROR_CODES, 0.2) })),
    ...maybe(random, 0.2, () => ({ knowledge_type: random.pick(DEFAULT_KNOWLEDGE_TYPES) })),
    ...maybe(random, 0.9, () => ({
      keywords: Array.from({ length: random.between(0, 3) }, () => random.pick(KEYWORDS))
    })),
    ...maybe(random, 0.5, () => ({ query_text: words(random, 3) })),
    mode: random.pick(['auto', 'auto', 'auto', 'strict', 'loose', 'vector_only']),
    size: random.pick([1, 3, 10, 100]),
    from_: random.pick([0, 0, 0, 2])
  }
}

function words(random: Random, number: number): string {
  return Array.from({ length: number }, () => random.pick(WORDS)).join(random.pick([' ', '']))
}

function maybe<Part extends object>(random: Random, chance: number, make: () => Part): Part | object {
  return random.next() < chance ? make() : {}
}
