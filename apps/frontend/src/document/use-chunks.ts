import { type DocumentChunk, PAGE_LIMIT } from '@oncall-agent/api-contracts'
import { computed, ref, shallowRef } from 'vue'
import { useApi } from '../api/page-api.ts'
import { type Problem, problemOf } from '../api/problem.ts'

/** The chunks of a document, read page by page as far as they are wanted. */
export function useChunks(documentId: () => string) {
  const api = useApi()
  const chunks = shallowRef<readonly DocumentChunk[]>([])
  const total = ref(0)
  const cursor = ref<string | null>(null)
  const phase = ref<'loading' | 'ready' | 'failed'>('loading')
  const problem = shallowRef<Problem | null>(null)

  async function read(from: string | null): Promise<boolean> {
    try {
      const query = { limit: PAGE_LIMIT, ...(from === null ? {} : { cursor: from }) }
      const page = await api.documentChunks({ params: { id: documentId() }, query })
      chunks.value = from === null ? page.items : [...chunks.value, ...page.items]
      total.value = page.total
      cursor.value = page.nextCursor
      phase.value = 'ready'
      return true
    } catch (error) {
      problem.value = problemOf(error)
      phase.value = 'failed'
      return false
    }
  }
  const restart = (): Promise<boolean> => read(null)
  const more = (): Promise<boolean> => (cursor.value === null ? Promise.resolve(false) : read(cursor.value))
  /** Reads on until the chunk is there; null when the document has none of that id. */
  async function find(chunkId: string): Promise<DocumentChunk | null> {
    for (;;) {
      const found = chunks.value.find((chunk) => chunk.chunkId === chunkId)
      if (found !== undefined) return found
      if (!(await more())) return null
    }
  }
  return { chunks, total, phase, problem, hasMore: computed(() => cursor.value !== null), restart, more, find }
}
