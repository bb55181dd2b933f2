import { DEFAULT_KNOWLEDGE_TYPES, DEFAULT_STRUCTURED_SETTINGS, tokenize } from '@oncall-agent/retrieval'
import type { ReadablePair, StructuredEntry, StructuredRequest, StructuredSettings } from '@oncall-agent/retrieval'
import { Random } from '@oncall-agent/retrieval/conformance'
import { type Collection, pairsOf } from './collection.ts'
import type { SearchCase } from './search-case.ts'
import { type Vocabulary, vocabularyOf } from './vocabulary.ts'

/** The most tokens that a request may have in all; a request with one more is refused before any engine is asked. */
export const MOST_TOKENS = 400

/** What every kind of search is made with. */
interface Material {
  readonly random: Random
  readonly vocabulary: Vocabulary
  readonly sentences: readonly string[]
  /** Any document of the collection. */
  readonly entry: () => StructuredEntry
}

type Kind = (material: Material) => StructuredRequest

/** Each is one thing that the contract promises; what a search of a kind finds is the engines' to say. */
const KINDS: Readonly<Record<string, Kind>> = {
  'words of one document': (material) => ({ keywords: wordsOfOne(material, 3) }),
  'words of one document, and its fields': (material) => {
    const entry = material.entry()
    return { keywords: wordsOf(material, entry, 2), ...fieldsOf(material.random, entry) }
  },
  'a whole title': ({ entry }) => ({ keywords: [entry().title] }),
  'a common word': ({ random, vocabulary }) => ({ keywords: [random.pick(vocabulary.common)] }),
  'a common word among several error codes': ({ random, vocabulary }) => ({
    keywords: random.some([random.pick(vocabulary.common)], 0.7),
    error_codes: [...picked(random, vocabulary.errorCodes, 5), 'NO-SUCH-CODE']
  }),
  'no keywords': ({ random, sentences }) => ({ ...maybe(random, () => ({ query_text: random.pick(sentences) })) }),
  'no keywords among filters': (material) => fieldsOf(material.random, material.entry()),
  'words of several documents': ({ random, vocabulary, sentences }) => ({
    keywords: [vocabulary.anyWord(random), vocabulary.anyWord(random), vocabulary.anyWord(random)],
    ...maybe(random, () => ({ query_text: random.pick(sentences) }))
  }),
  'a phrase of which a part is there': ({ random, vocabulary }) => ({
    keywords: [`${vocabulary.anyWord(random)}${vocabulary.anyWord(random)}`, `${vocabulary.anyWord(random)} nowhere-q`]
  }),
  'loosely, common words': ({ random, vocabulary }) => ({
    mode: 'loose',
    keywords: picked(random, vocabulary.common, 2)
  }),
  'all words of a document': (material) => ({ mode: 'strict', keywords: everyWord(material) }),
  'a sentence alone matches': ({ random, sentences }) => ({
    keywords: ['nowhere-q'],
    query_text: random.pick(sentences)
  }),
  'by meaning': (material) => ({
    mode: 'vector_only',
    query_text: material.random.pick(material.sentences),
    ...maybe(material.random, () => fieldsOf(material.random, material.entry()))
  }),
  'by meaning, without a sentence': (material) => ({ mode: 'vector_only', keywords: wordsOfOne(material, 1) }),
  'nothing to find': ({ random }) => ({
    keywords: ['nowhere-q', ...random.some(['？！', 'q-nowhere'], 0.5)],
    ...maybe(random, () => ({ project: 'no-such-project', query_text: 'nowhere' }))
  }),
  'an unknown filter': (material) => ({
    keywords: wordsOfOne(material, 1),
    ...material.random.pick([
      { project: 'PAY ' },
      { equipment: 'no-such' },
      { error_codes: ['nothing', 'e_conn_reset'] }
    ])
  }),
  'one character': ({ random, vocabulary }) => ({ keywords: picked(random, vocabulary.characters, 2) }),
  'glued to Chinese, in another case': (material) => {
    const word = wordsOfOne(material, 1)[0] ?? 'disk'
    return { keywords: [`报错${word.toUpperCase()}`, word.toLowerCase(), word] }
  },
  'keywords without a word': ({ random, vocabulary }) => ({
    keywords: ['？！', ' ', random.pick(vocabulary.common)],
    ...maybe(random, () => ({ mode: 'loose' }))
  }),
  'as many tokens as there may be': (material) => ({
    mode: material.random.pick(['auto', 'loose']),
    keywords: manyWords(material)
  })
}

/** Of each kind. */
const TURNS = 12

/** Searches of every kind in turn, each with a scope, a page and settings of its own. Seeded by the collection's name. */
export function makeSearches(collection: Collection): SearchCase[] {
  const random = new Random([...collection.name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7))
  const { entries, sentences } = collection
  const material = { random, vocabulary: vocabularyOf(entries), sentences, entry: () => random.pick(entries) }
  const pairs = pairsOf(collection)
  const kinds = Object.entries(KINDS)
  return Array.from({ length: TURNS * kinds.length }, (_, count) => {
    const [kind, make] = kinds[count % kinds.length]!
    const request = {
      ...make(material),
      ...maybe(random, () => ({ knowledge_type: random.pick(DEFAULT_KNOWLEDGE_TYPES) }), 0.1),
      ...pageOf(random)
    }
    return { kind, request, pairs: scopeOf(random, pairs), settings: settingsOf(random) }
  })
}

/** All that there is, mostly; one knowledge base, some, one that does not exist beside one that does, none. */
function scopeOf(random: Random, pairs: readonly ReadablePair[]): readonly ReadablePair[] {
  const chance = random.next()
  if (chance < 0.65) return pairs
  if (chance < 0.8) return [random.pick(pairs)]
  if (chance < 0.98) return [...random.some(pairs, 0.5), { tenantId: 'nobody', knowledgeBaseId: 'kb-0' }]
  return []
}

function pageOf(random: Random): Pick<StructuredRequest, 'size' | 'from_'> {
  const size = random.pick([1, 3, 10, 100, 100])
  const { maxResultWindow } = DEFAULT_STRUCTURED_SETTINGS
  return { size, from_: random.pick([0, 0, 0, 0, 1, 7, 50, maxResultWindow - size]) }
}

function settingsOf(random: Random): Partial<StructuredSettings> {
  if (random.next() < 0.4) return {}
  return {
    strictMaxHits: random.pick([1, 8, 100]),
    titleBoost: random.pick([0, 1, 3]),
    rrfWindow: random.pick([1, 5, 50, 1000]),
    vectorWeight: random.pick([0, 0.3, 0.5, 1]),
    looseMinMatch: random.pick([0.3, 0.6, 1])
  }
}

function fieldsOf(random: Random, entry: StructuredEntry): StructuredRequest {
  const { project, equipment, errorCodes } = entry
  return {
    ...(project === undefined ? {} : maybe(random, () => ({ project }))),
    ...(equipment === undefined ? {} : maybe(random, () => ({ equipment }))),
    ...(errorCodes.length === 0 ? {} : maybe(random, () => ({ error_codes: random.some(errorCodes, 0.7) })))
  }
}

function wordsOfOne(material: Material, most: number): string[] {
  return wordsOf(material, material.entry(), most)
}

function wordsOf({ random, vocabulary }: Material, entry: StructuredEntry, most: number): string[] {
  return picked(random, vocabulary.wordsOf(entry), random.between(1, most))
}

/** The words of one document, as many as a request may have. */
function everyWord({ vocabulary, entry }: Material): string[] {
  const keywords: string[] = []
  let tokens = 0
  for (const word of vocabulary.wordsOf(entry())) {
    tokens += new Set(tokenize(word)).size
    if (tokens > MOST_TOKENS) break
    keywords.push(word)
  }
  return keywords
}

/** Exactly as many tokens as a request may have: words that are nowhere, and last those of the collection, short and long. */
function manyWords({ random, vocabulary }: Material): string[] {
  const keywords = new Map<string, number>()
  const count = (): number => [...keywords.values()].reduce((sum, tokens) => sum + tokens, 0)
  const add = (keyword: string): void => {
    const tokens = new Set(tokenize(keyword)).size
    if (count() + tokens <= MOST_TOKENS) keywords.set(keyword, tokens)
  }
  for (let turn = 0; turn < 20; turn++) {
    add(Array.from({ length: 8 }, () => vocabulary.anyWord(random)).join(' '))
    add(vocabulary.anyWord(random))
  }
  for (let filler = 0; count() < MOST_TOKENS; filler++) {
    const letters = [...String(1000 + filler)].map((digit) => 'abcdefghij'[Number(digit)]!)
    add(`filler${letters.join('')}`)
  }
  return [...keywords.keys()].toReversed()
}

function picked<Item>(random: Random, items: readonly Item[], number: number): Item[] {
  return items.length === 0 ? [] : Array.from({ length: number }, () => random.pick(items))
}

function maybe<Part extends object>(random: Random, make: () => Part, chance = 0.5): Part | object {
  return random.next() < chance ? make() : {}
}
