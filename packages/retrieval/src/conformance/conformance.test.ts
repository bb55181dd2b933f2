import { describe, expect, it } from 'vitest'
import { HashEmbedder, overlapReranker } from '../test-material/small-models.ts'
import { documentWriterConformance, embedderConformance, lexicalIndexConformance } from './index.ts'
import { MemoryIndex, rerankerConformance, vectorIndexConformance } from './index.ts'

const DIMENSION = 32
const test = { describe, it, expect }
const create = async (): Promise<MemoryIndex> => new MemoryIndex(DIMENSION)

describe('the memory index', () => {
  lexicalIndexConformance(test, create)
  vectorIndexConformance(test, create)
  documentWriterConformance(test, create)
})

describe('an embedder that hashes tokens', () => {
  embedderConformance(test, async () => new HashEmbedder(DIMENSION))
})

describe('a reranker that counts shared tokens', () => {
  rerankerConformance(test, async () => overlapReranker())
})
