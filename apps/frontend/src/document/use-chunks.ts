import { type DocumentChunk, PAGE_LIMIT } from '@oncall-agent/api-contracts'
import { computed, ref, shallowRef } from 'vue'
import { useApi } from '../api/page-api.ts'
import type { Problem } from '../api/problem.ts'
import { useNewest } from '../api/use-newest.ts'

/** What is shown of them. */
function shownChunks() {
  return {
    chunks: shallowRef<readonly DocumentChunk[]>([]),
    total: ref(0),
    cursor: ref<string | null>(null),
    phase: ref<'loading' | 'ready' | 'failed'>('loading'),
    problem: shallowRef<Problem | null>(null)
  }
}

/** The chunks of a document, read page by page as far as they are wanted. */
export function useChunks(documentId: () => string) {
  const api = useApi()
  const { chunks, total, cursor, phase, problem } = shownChunks()
  const ask = useNewest()
  let reading: { readonly from: string | null; readonly done: Promise<boolean> } | null = null
  /** What was read so far; each publishing redraws the list and the text, so a search publishes once. */
  let gathered: DocumentChunk[] = []
  let next: string | null = null

  /** True when a page was gathered. */
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
    gathered = from === null ? [...page.items] : gathered.concat(page.items)
    next = page.nextCursor
    total.value = page.total
    problem.value = null
    phase.value = 'ready'
    return true
  }
  function publish(): void {
    chunks.value = gathered
    cursor.value = next
  }
  function begin(from: string | null): Promise<boolean> {
    const done = read(from)
    reading = { from, done }
    return done
  }
  /** Two that want the same next page (a button, a search for a chunk) get it together, once. */
  function gather(): Promise<boolean> {
    if (next === null) return Promise.resolve(false)
    return reading?.from === next ? reading.done : begin(next)
  }
  async function shown(asked: Promise<boolean>): Promise<boolean> {
    const isRead = await asked
    if (isRead) publish()
    return isRead
  }
  function restart(): Promise<boolean> {
    phase.value = 'loading'
    return shown(begin(null))
  }
  const more = (): Promise<boolean> => shown(gather())
  /** Reads on until the chunk is there; null when the document has none of that id. */
  async function find(chunkId: string): Promise<DocumentChunk | null> {
    let found = gathered.find((chunk) => chunk.chunkId === chunkId)
    while (found === undefined) {
      const from = gathered.length
      if (!(await gather())) break
      found = gathered.slice(from).find((chunk) => chunk.chunkId === chunkId)
    }
    publish()
    return found ?? null
  }
  return { chunks, total, phase, problem, hasMore: computed(() => cursor.value !== null), restart, more, find }
}
