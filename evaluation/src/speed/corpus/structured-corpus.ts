import { DEFAULT_KNOWLEDGE_TYPES, type ReadablePair, type StructuredEntry } from '@oncall-agent/retrieval'
import type { StructuredRequest } from '@oncall-agent/retrieval'
import { keep } from './bench-corpus.ts'
import { englishWord, SyntheticText } from './synthetic-text.ts'
import { SyntheticVectors } from './synthetic-vectors.ts'

/** Changes with anything that changes the documents. */
const corpusVersion = 1
const seed = 20_260_101
const tenantId = 'bench'
const knowledgeBases = 10
const projects = 40
const equipment = 200
/** Numbers far from those of bodies and of each other, so that titles and sentences are texts of their own. */
const titleNumbers = 1_000_000
const sentenceNumbers = 2_000_000
const titleWords = 5
const sentenceWords = 12
/** Coprime to any number of documents worth measuring: searches speak of documents spread over all of them. */
const stride = 7919

/** Whole documents with fields, and searches of every kind over them. Seeded. */
export interface StructuredCorpus {
  /** Names it among kept data. */
  readonly key: string
  readonly documents: number
  readonly pairs: readonly ReadablePair[]
  entry(number: number): StructuredEntry
  /** The kinds in turn; each is an honest question that some document answers, but for the words that are nowhere. */
  search(number: number): StructuredRequest
  /** Of what a search means. */
  queryVector(number: number): Float32Array
}

export function structuredCorpus(documents: number, dimension: number): StructuredCorpus {
  const text = new SyntheticText(seed)
  const vectors = new SyntheticVectors({ seed, dimension, chunks: documents })
  const titleOf = (number: number): string => text.query(titleNumbers + number, titleWords)
  const codeOf = (number: number): string => /ERR_\w+/.exec(text.chunk(number))![0]
  return {
    key: `v${corpusVersion}-${documents}-${dimension}`,
    documents,
    pairs: Array.from({ length: knowledgeBases }, (_, number) => pairOf(number)),
    entry: (number) => ({
      ...pairOf(number % knowledgeBases),
      documentId: `doc-${number}`,
      knowledgeType: DEFAULT_KNOWLEDGE_TYPES[number % DEFAULT_KNOWLEDGE_TYPES.length]!,
      project: projectOf(number),
      equipment: `node-${(number * 31) % equipment}`,
      errorCodes: [codeOf(number)],
      title: titleOf(number),
      body: text.chunk(number),
      createdAt: number,
      contentHash: `doc-${number}`,
      vector: vectors.chunk(number)
    }),
    search: keep((number) => {
      const document = (number * stride) % documents
      const words = titleOf(document).split(' ')
      const query_text = text.query(sentenceNumbers + number, sentenceWords)
      const kinds: readonly StructuredRequest[] = [
        { keywords: words.slice(0, 3), query_text },
        { error_codes: [codeOf(document)], query_text },
        { keywords: [englishWord(number % 20)] },
        {
          keywords: [
            words[0]!,
            ...titleOf(document + 1)
              .split(' ')
              .slice(0, 2)
          ],
          project: projectOf(document),
          query_text
        },
        { keywords: ['nowhere-to-be-found'], query_text },
        { mode: 'loose', keywords: words.slice(1, 4), query_text }
      ]
      return kinds[number % kinds.length]!
    }),
    queryVector: keep((number) => vectors.query(number))
  }
}

function pairOf(number: number): ReadablePair {
  return { tenantId, knowledgeBaseId: `kb-${number}` }
}

/** Most documents are of the first few. */
function projectOf(number: number): string {
  return `project-${Math.floor(projects * ((number % 997) / 997) ** 2)}`
}
