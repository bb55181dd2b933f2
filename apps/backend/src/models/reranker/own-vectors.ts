import {
  type Embedder,
  type PassageEmbedding,
  type Reranker,
  type RerankCandidate,
  type RerankRequest,
  searchedText
} from '@oncall-agent/retrieval'

/** Texts whose vectors are remembered: some hundred questions about the same runbooks; about 40 MB with token vectors. */
const REMEMBERED = 2_000

type TextEmbedder = Pick<Embedder, 'embedQuery' | 'embedPassages'>

/**
 * A reranker that reads the vectors of one embedder, made usable beside an index of another one: it embeds the question
 * and the candidates itself. Slower by the embedding of up to twenty texts (seconds on two cores) the first time that
 * they are candidates.
 */
export function withOwnVectors(reranker: Reranker, embedder: TextEmbedder): Reranker {
  const known = new Map<string, PassageEmbedding>()
  return {
    name: reranker.name,
    needs: { vectors: false, tokenVectors: false, statistics: reranker.needs.statistics },
    async rerank(request, signal) {
      signal?.throwIfAborted()
      if (request.candidates.length === 0) return []
      const texts = request.candidates.map(searchedText)
      const [queryEmbedding, embeddings] = await Promise.all([
        embedder.embedQuery(request.query, signal),
        embedOnce({ embedder, known, texts }, signal)
      ])
      const candidates = request.candidates.map((candidate, index) => withVectors(candidate, embeddings[index]!))
      return reranker.rerank({ ...request, queryEmbedding, candidates } satisfies RerankRequest, signal)
    }
  }
}

interface Wanted {
  readonly embedder: TextEmbedder
  readonly known: Map<string, PassageEmbedding>
  readonly texts: readonly string[]
}

async function embedOnce(
  { embedder, known, texts }: Wanted,
  signal: AbortSignal | undefined
): Promise<readonly PassageEmbedding[]> {
  const fresh = [...new Set(texts.filter((text) => !known.has(text)))]
  const made = fresh.length === 0 ? [] : await embedder.embedPassages(fresh, signal)
  const found = new Map(fresh.map((text, index) => [text, made[index]!]))
  const embeddings = texts.map((text) => found.get(text) ?? known.get(text)!)
  for (const [index, text] of texts.entries()) {
    // Put last again: what was asked for longest ago goes first.
    known.delete(text)
    known.set(text, embeddings[index]!)
  }
  for (const oldest of known.keys()) {
    if (known.size <= REMEMBERED) break
    known.delete(oldest)
  }
  return embeddings
}

function withVectors(candidate: RerankCandidate, embedding: PassageEmbedding): RerankCandidate {
  const { vector, tokenVectors, tokenCount } = embedding
  return { ...candidate, vector, tokenCount, ...(tokenVectors === undefined ? {} : { tokenVectors }) }
}
