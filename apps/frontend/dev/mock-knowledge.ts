import type { IndexTask, KnowledgeBaseView, NewKnowledgeBase } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, nextId, pageOf } from './mock-request.ts'
import type { MockState } from './mock-state.ts'
import { taskNow } from './sample-tasks.ts'
import { base } from './samples.ts'

function counted(state: MockState, one: KnowledgeBaseView): KnowledgeBaseView {
  const states = [...state.documents.values()]
    .filter(({ knowledgeBaseId }) => knowledgeBaseId === one.id)
    .map(({ indexStatus }) => indexStatus)
  const count = (status: string): number => states.filter((each) => each === status).length
  const documents = {
    total: states.length,
    indexed: count('indexed'),
    indexing: count('indexing'),
    pending: count('pending'),
    failed: count('failed')
  }
  return { ...one, documents }
}

/** Tasks by the clock; a document becomes indexed when its task has ended. */
export function settledTasks(state: MockState): readonly IndexTask[] {
  return state.tasks.map((task) => {
    const now = taskNow(task)
    const document = state.documents.get(task.documentId)
    if (task.beganAt !== null && document !== undefined) {
      const over = now.status === 'succeeded'
      state.documents.set(document.id, {
        ...document,
        indexStatus: over ? 'indexed' : 'indexing',
        indexedVersion: over ? now.documentVersion : document.indexedVersion,
        failure: null,
        chunkCount: over ? 6 : document.chunkCount
      })
    }
    return now
  })
}

export const knowledgeHandlers: MockHandlers = {
  knowledgeBases: ({ state, query }) =>
    pageOf(
      [...state.bases.values()].map((one) => counted(state, one)),
      query
    ),
  knowledgeBase: ({ state, params }) => {
    settledTasks(state)
    return { body: counted(state, found(state.bases.get(params.id ?? ''))) }
  },
  createKnowledgeBase: ({ state, body }) => {
    const { name, description } = body as NewKnowledgeBase
    if ([...state.bases.values()].some((each) => each.name === name)) throw new MockRefusal('CONFLICT')
    const made = base(nextId(state, 'kb'), name, { description })
    state.bases.set(made.id, made)
    return { body: made }
  },
  changeKnowledgeBase: ({ state, params, body }) => {
    const changed = { ...found(state.bases.get(params.id ?? '')), ...(body as Partial<NewKnowledgeBase>) }
    state.bases.set(changed.id, changed)
    return { body: counted(state, changed) }
  },
  deleteKnowledgeBase: ({ state, params }) => {
    state.bases.delete(params.id ?? '')
    return {}
  },
  readers: ({ state, params, query }) => pageOf(state.readers.get(params.id ?? '') ?? [], query),
  addReader: ({ state, params }) => {
    const user = found(state.users.find(({ id, username }) => id === params.userId || username === params.userId))
    const reader = { userId: user.id, username: user.username, grantedAt: Date.now() }
    const all = state.readers.get(params.id ?? '') ?? []
    state.readers.set(params.id ?? '', [reader, ...all.filter(({ userId }) => userId !== user.id)])
    return { body: reader }
  },
  removeReader: ({ state, params }) => {
    const all = state.readers.get(params.id ?? '') ?? []
    state.readers.set(
      params.id ?? '',
      all.filter(({ userId }) => userId !== params.userId)
    )
    return {}
  },
  knowledgeBaseTasks: ({ state, params, query }) =>
    pageOf(
      settledTasks(state).filter(({ knowledgeBaseId }) => knowledgeBaseId === params.id),
      query
    )
}
