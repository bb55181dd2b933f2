import { type DocumentChunk, PAGE_LIMIT } from '@oncall-agent/api-contracts'
import { computed, ref, shallowRef } from 'vue'
import { useApi } from '../api/page-api.ts'
import type { Problem } from '../api/problem.ts'
import { useNewest } from '../api/use-newest.ts'

/** The chunks of a document, read page by page as far as they are wanted. */
export function useChunks(documentId: () => string) {
  const api = useApi()
  const chunks = shallowRef<readonly DocumentChunk[]>([])
  const total = ref(0)
  const cursor = ref<string | null>(null)
  const phase = ref<'loading' | 'ready' | 'failed'>('loading')
  const problem = shallowRef<Problem | null>(null)
  const ask = useNewest()
  let reading: { readonly from: string | null; readonly done: Promise<boolean> } | null = null

  /** True when a page was added. */
  async function read(from: string | null): Promise<boolean> {
    const query = { limit: PAGE_LIMIT, ...(from === null ? {} : { cursor: from }) }
    const answered = await ask((signal) => api.documentChunks({ params: { id: documentId() }, query, signal }))
    if (answered === null) return false
    reading = null
    if ('problem' in answered) {
      problem.value = answered.problem
      phase.value = 'failed'
      return false
    }
    const page = answered.value
    chunks.value = from === null ? page.items : [...chunks.value, ...page.items]
    total.value = page.total
    cursor.value = page.nextCursor
    problem.value = null
    phase.value = 'ready'
    return true
  }
  function begin(from: string | null): Promise<boolean> {
    const done = read(from)
    reading = { from, done }
    return done
  }
  function restart(): Promise<boolean> {
    phase.value = 'loading'
    return begin(null)
  }
  /** Two that want the same next page (a button, a search for a chunk) get it together, once. */
  function more(): Promise<boolean> {
    if (cursor.value === null) return Promise.resolve(false)
    return reading?.from === cursor.value ? reading.done : begin(cursor.value)
  }
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
