import type { DocumentView } from '@oncall-agent/api-contracts'
import { settledTasks } from './mock-knowledge.ts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId, pageOf } from './mock-request.ts'
import { newTask, taskNow } from './sample-tasks.ts'
import { sampleChunks, sampleDocument, sampleText } from './samples.ts'

function startTask({ state }: MockRequest, document: DocumentView, retryOf: string | null) {
  const task = newTask(nextId(state, 'task'), document, retryOf)
  state.tasks.unshift(task)
  settledTasks(state)
  return taskNow(task)
}

function upload(request: MockRequest) {
  const { state, params, form } = request
  const file = form?.get('file') as File
  const same = [...state.documents.values()].find(
    ({ fileName, knowledgeBaseId }) => fileName === file.name && knowledgeBaseId === params.id
  )
  if (same !== undefined) throw new MockRefusal('CONFLICT', { documentId: same.id })
  if (!/[.](md|txt|pdf|html|docx)$/.test(file.name)) throw new MockRefusal('UNSUPPORTED_MEDIA_TYPE')
  // The mock does not look into files: the name says which one has a password.
  if (file.name.startsWith('locked')) {
    const details = { file: file.name, reason: 'docx-encrypted' }
    throw new MockRefusal('DOCUMENT_UNREADABLE', details, `${file.name} is password-protected`)
  }
  const id = nextId(state, 'doc')
  const document: DocumentView = {
    ...sampleDocument(params.id ?? '', 0),
    id,
    fileName: file.name,
    byteSize: file.size,
    indexStatus: 'pending',
    indexedVersion: null,
    chunkCount: 0
  }
  state.documents = new Map([[id, document], ...state.documents])
  const task = form?.get('index') === 'true' ? startTask(request, document, null) : null
  return { status: task === null ? 201 : 202, body: { document, task, documents: [{ document, task }], refused: [] } }
}

function documentsOf({ state, params, query }: MockRequest) {
  settledTasks(state)
  const [name, status] = [query.get('name')?.toLowerCase() ?? '', query.get('indexStatus')]
  const all = [...state.documents.values()].filter(
    (each) =>
      each.knowledgeBaseId === params.id &&
      (status === null || each.indexStatus === status) &&
      `${each.fileName} ${each.title ?? ''}`.toLowerCase().includes(name)
  )
  return pageOf(all, query)
}

const documentOf = ({ state, params }: MockRequest): DocumentView => {
  settledTasks(state)
  return found(state.documents.get(params.id ?? ''))
}
const taskOf = ({ state, params }: MockRequest) => found(state.tasks.find(({ id }) => id === params.id))

export const documentHandlers: MockHandlers = {
  uploadDocuments: upload,
  documents: documentsOf,
  document: (request) => ({ body: documentOf(request) }),
  documentContent: () => ({ body: new Blob([sampleText]) }),
  replaceDocument: (request) => {
    const document = { ...documentOf(request), version: documentOf(request).version + 1 }
    request.state.documents.set(document.id, document)
    const task = startTask(request, document, null)
    return { status: 202, body: { document, task, documents: [{ document, task }], refused: [] } }
  },
  documentText: (request) => ({
    body: { documentId: documentOf(request).id, version: 1, title: '连接被重置', text: sampleText }
  }),
  documentChunks: (request) => pageOf(sampleChunks(documentOf(request).id), request.query),
  deleteDocument: ({ state, params }) => {
    state.documents.delete(params.id ?? '')
    return {}
  },
  createIndexTask: (request) => ({ body: startTask(request, documentOf(request), null) }),
  documentTasks: ({ state, params, query }) =>
    pageOf(
      settledTasks(state).filter(({ documentId }) => documentId === params.id),
      query
    ),
  indexTask: (request) => ({ body: taskNow(taskOf(request)) }),
  retryIndexTask: (request) => {
    const task = taskOf(request)
    return { body: startTask(request, found(request.state.documents.get(task.documentId)), task.id) }
  },
  cancelIndexTask: (request) => {
    const index = request.state.tasks.indexOf(taskOf(request))
    const cancelled = {
      ...request.state.tasks[index]!,
      status: 'cancelled' as const,
      beganAt: null,
      finishedAt: Date.now()
    }
    request.state.tasks[index] = cancelled
    const document = request.state.documents.get(cancelled.documentId)
    if (document !== undefined)
      request.state.documents.set(document.id, {
        ...document,
        indexStatus: document.indexedVersion === null ? 'pending' : 'indexed'
      })
    return { body: taskNow(cancelled) }
  }
}
