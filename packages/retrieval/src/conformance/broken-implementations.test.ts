import { describe, expect, it } from 'vitest'
import type * as ports from '../ports/index.ts'
import { failingCases } from '../test-material/failing-cases.ts'
import { HashEmbedder, overlapReranker } from '../test-material/small-models.ts'
import { documentWriterConformance, embedderConformance, lexicalIndexConformance, MemoryIndex } from './index.ts'
import { rerankerConformance, vectorIndexConformance } from './index.ts'

const DIMENSION = 32

/** The memory index with one part replaced by a faulty one. */
type Fault = (index: MemoryIndex) => Partial<ports.KnowledgeIndex>

function withFault(fault: Fault): () => Promise<ports.KnowledgeIndex> {
  return async () => {
    const index = new MemoryIndex(DIMENSION)
    const parts = { engine: 'broken', chunks: index.chunks, lexical: index.lexical, vector: index.vector }
    return {
      ...parts,
      writer: index.writer,
      structured: index.structured,
      entries: () => index.entries(),
      entry: (pair, documentId) => index.entry(pair, documentId),
      warm: () => index.warm(),
      size: () => index.size(),
      verify: () => index.verify(),
      close: () => index.close(),
      ...fault(index)
    }
  }
}

class LooseMetadataIndex extends MemoryIndex {
  protected override isInScope(stored: ports.StoredChunk, { metadata = {}, ...scope }: ports.Scope): boolean {
    const matches = Object.entries(metadata).every(([key, value]) => String(stored.metadata[key]) === String(value))
    return matches && super.isInScope(stored, scope)
  }
}

async function createLoose(): Promise<MemoryIndex> {
  return new LooseMetadataIndex(DIMENSION)
}

const lexicalFaults: Record<string, Fault> = {
  'filters documents and metadata only after the top of the knowledge base': ({ lexical }) => ({
    lexical: {
      ...lexical,
      search: async (request, signal) => {
        const { hits, revision } = await lexical.search({ ...request, scope: { pairs: request.scope.pairs } }, signal)
        const inside = await lexical.search({ ...request, limit: 1e6 }, signal)
        const ids = new Set(inside.hits.map((hit) => hit.chunkId))
        return { hits: hits.filter((hit) => ids.has(hit.chunkId)), revision }
      }
    }
  }),
  'takes an empty scope for the whole tenant': ({ lexical }) => ({
    lexical: {
      ...lexical,
      search: (request, signal) => {
        const pairs = [{ tenantId: 'tenant', knowledgeBaseId: 'kb' }]
        const scope = request.scope.pairs.length === 0 ? { pairs } : request.scope
        return lexical.search({ ...request, scope }, signal)
      }
    }
  }),
  'drops knowledge bases beyond the sixteenth': ({ lexical }) => ({
    lexical: {
      ...lexical,
      search: (request, signal) =>
        lexical.search({ ...request, scope: { ...request.scope, pairs: request.scope.pairs.slice(0, 16) } }, signal)
    }
  }),
  'turns equal scores round': ({ lexical }) => ({
    lexical: {
      ...lexical,
      search: async (request, signal) => {
        const { hits, revision } = await lexical.search(request, signal)
        return { hits: hits.toReversed().toSorted((left, right) => right.score - left.score), revision }
      }
    }
  }),
  'counts repeated query tokens once': ({ lexical }) => ({
    lexical: {
      ...lexical,
      search: (request, signal) => lexical.search({ ...request, tokens: [...new Set(request.tokens)] }, signal)
    }
  }),
  'goes on when the caller has left': ({ lexical }) => ({
    lexical: { ...lexical, search: (request) => lexical.search(request) }
  })
}

const vectorFaults: Record<string, Fault> = {
  'gives distances for scores': ({ vector }) => ({
    vector: {
      ...vector,
      search: async (request, signal) => {
        const { hits, revision } = await vector.search(request, signal)
        return { hits: hits.map((hit) => ({ ...hit, score: 1 - hit.score })), revision }
      }
    }
  }),
  'finds only most of the nearest': ({ vector }) => ({
    vector: {
      ...vector,
      search: async (request, signal) => {
        const { hits, revision } = await vector.search({ ...request, limit: request.limit + 1 }, signal)
        return { hits: hits.filter((_, rank) => rank !== 1).slice(0, request.limit), revision }
      }
    }
  })
}

const writerFaults: Record<string, Fault> = {
  'deletes by document id alone': ({ writer }) => ({
    writer: {
      ...writer,
      deleteDocument: (_, id) => writer.deleteDocument({ tenantId: 'tenant', knowledgeBaseId: 'kb' }, id)
    }
  }),
  'deletes before it writes the new version': ({ writer }) => ({
    writer: {
      ...writer,
      replaceDocument: async (document, chunks, entry) => {
        await writer.deleteDocument(document, document.documentId)
        await new Promise(setImmediate)
        await writer.replaceDocument(document, chunks, entry)
      }
    }
  }),
  'writes the entry behind the chunks': ({ writer, structured }) => ({
    writer: {
      ...writer,
      replaceDocument: async (document, chunks, entry) => {
        await writer.replaceDocument(document, chunks)
        await new Promise(setImmediate)
        if (entry !== undefined) await structured.replaceDocument(entry)
      }
    }
  }),
  'keeps the entry of a document that is written without one': ({ writer, structured }) => ({
    writer: {
      ...writer,
      replaceDocument: async (document, chunks, entry) => {
        const before = structured.all().find((each) => each.documentId === document.documentId)
        await writer.replaceDocument(document, chunks, entry ?? before)
      }
    }
  }),
  'keeps the entry of a document that is deleted': ({ writer, structured }) => ({
    writer: {
      ...writer,
      deleteDocument: async (pair, documentId) => {
        const before = structured.all().find((each) => each.documentId === documentId)
        const existed = await writer.deleteDocument(pair, documentId)
        if (existed && before !== undefined) await structured.replaceDocument(before)
        return existed
      }
    }
  }),
  'forgets token vectors': ({ writer }) => ({
    writer: {
      ...writer,
      replaceDocument: (document, chunks, entry) =>
        writer.replaceDocument(
          document,
          chunks.map((chunk) => ({ ...chunk, tokenVectors: new Uint8Array(0) })),
          entry
        )
    }
  })
}

describe('the suites catch', () => {
  it.each(Object.entries(lexicalFaults))('a lexical index that %s', async (_, fault) => {
    const failing = await failingCases((test) => lexicalIndexConformance(test, withFault(fault)))
    expect(failing.length).toBeGreaterThan(0)
  })

  it('a lexical and a vector index that compare metadata without their types', async () => {
    const name = 'filters metadata by value and type, the chunk overlaying its document'
    expect(await failingCases((test) => lexicalIndexConformance(test, createLoose))).toContain(name)
    expect(await failingCases((test) => vectorIndexConformance(test, createLoose))).toContain(name)
  })

  it.each(Object.entries(vectorFaults))('a vector index that %s', async (_, fault) => {
    const failing = await failingCases((test) => vectorIndexConformance(test, withFault(fault)))
    expect(failing.length).toBeGreaterThan(0)
  })

  it.each(Object.entries(writerFaults))('a writer that %s', async (_, fault) => {
    const failing = await failingCases((test) => documentWriterConformance(test, withFault(fault)))
    expect(failing.length).toBeGreaterThan(0)
  })

  it('an embedder that loses the order of its texts', async () => {
    class ShuffledEmbedder extends HashEmbedder {
      override async embedPassages(texts: readonly string[], signal?: AbortSignal) {
        return (await super.embedPassages(texts, signal)).toReversed()
      }
    }
    const failing = await failingCases((test) => embedderConformance(test, async () => new ShuffledEmbedder(DIMENSION)))
    expect(failing).toContain('keeps the order of the texts, over more of them than a batch holds')
  })

  it('an embedder that keeps token vectors only in what it says', async () => {
    class BoastfulEmbedder extends HashEmbedder {
      override readonly keepsTokenVectors = true
    }
    const failing = await failingCases((test) => embedderConformance(test, async () => new BoastfulEmbedder(DIMENSION)))
    expect(failing).toEqual(['gives passages token vectors exactly when it says that it keeps them'])
  })

  it('a reranker that scores on another scale', async () => {
    const failing = await failingCases((test) =>
      rerankerConformance(test, async () => {
        const harness = overlapReranker()
        const rerank: ports.Reranker['rerank'] = async (request, signal) =>
          (await harness.reranker.rerank(request, signal)).map((item) => ({ ...item, score: item.score * 10 - 3 }))
        return { ...harness, reranker: { ...harness.reranker, rerank } }
      })
    )
    expect(failing).toContain('scores the best topN candidates soundly, best first')
  })

  it('a skip that names no case', async () => {
    const create = withFault(() => ({}))
    const skips = { 'no such promise': 'because' }
    expect(await failingCases((test) => vectorIndexConformance(test, create, { skips }))).toEqual([
      'skips only cases that exist'
    ])
  })
})
