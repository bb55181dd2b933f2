/** Chunks a document. */
const chunksPerDocument = 20

/** One document of a synthetic corpus: chunks `first`..`first + count - 1`, all in one knowledge base. */
export interface DocumentSlot {
  readonly documentId: string
  readonly knowledgeBaseId: string
  readonly first: number
  readonly count: number
}

/** How chunks are spread: one knowledge base of fixed size, one of a tenth of the corpus, and eight with the rest. */
export interface CorpusLayout {
  readonly chunks: number
  readonly documents: readonly DocumentSlot[]
  readonly knowledgeBaseIds: readonly string[]
  /** The knowledge base that has `fixedChunks` chunks, whatever the size of the corpus. */
  readonly fixed: string
  /** The one with a tenth of all chunks. */
  readonly tenth: string
}

const others = 8

/** @param fixedChunks size of the fixed knowledge base; at most half of `chunks` */
export function layOut(chunks: number, fixedChunks: number): CorpusLayout {
  const tenthChunks = Math.max(1, Math.round(chunks / 10))
  const rest = chunks - fixedChunks - tenthChunks
  if (rest < 0) throw new RangeError(`${chunks} chunks are too few for a fixed scope of ${fixedChunks} and a tenth`)
  const sizes: [string, number][] = [
    ['kb-fixed', fixedChunks],
    ['kb-tenth', tenthChunks]
  ]
  for (let index = 0; index < others; index++) {
    const size = Math.floor((rest * (index + 1)) / others) - Math.floor((rest * index) / others)
    if (size > 0) sizes.push([`kb-${index}`, size])
  }
  return {
    chunks,
    documents: placeDocuments(sizes),
    knowledgeBaseIds: sizes.map(([id]) => id),
    fixed: 'kb-fixed',
    tenth: 'kb-tenth'
  }
}

function placeDocuments(sizes: readonly (readonly [string, number])[]): readonly DocumentSlot[] {
  const documents: DocumentSlot[] = []
  let first = 0
  for (const [knowledgeBaseId, size] of sizes) {
    for (let done = 0; done < size; done += chunksPerDocument) {
      const count = Math.min(chunksPerDocument, size - done)
      documents.push({ documentId: `doc-${documents.length}`, knowledgeBaseId, first, count })
      first += count
    }
  }
  return documents
}
