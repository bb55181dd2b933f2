import {
  documentChunkSchema,
  documentSchema,
  documentsQuerySchema,
  documentTextQuerySchema,
  documentTextSchema,
  uploadAnswerSchema,
  uploadFormSchema
} from '../knowledge/document.ts'
import { indexTaskSchema } from '../knowledge/index-task.ts'
import { idParamsSchema } from '../pages/ids.ts'
import { pageOf, pageQuerySchema } from '../pages/page.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

const path = <const P extends string>(rest: P) => `${API_PREFIX}${rest}` as const
const reading = ['retrieve', 'ingest'] as const
const writing = ['ingest'] as const
/** What a stored file is told as; whatever is none of the formats is told as bytes, which nothing opens. */
const storedMediaTypes = [
  'text/markdown',
  'text/plain',
  'text/html',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/octet-stream'
] as const

export const documentRoutes = {
  uploadDocuments: {
    method: 'POST',
    path: path('/knowledge-bases/:id/documents'),
    summary: 'Stores documents, and indexes them when asked to',
    access: writing,
    params: idParamsSchema,
    form: uploadFormSchema,
    response: uploadAnswerSchema,
    idempotent: true,
    statuses: [201, 202],
    errors: ['NOT_FOUND', 'CONFLICT', 'DOCUMENT_UNREADABLE']
  },
  documents: {
    method: 'GET',
    path: path('/knowledge-bases/:id/documents'),
    summary: 'Documents of a knowledge base, newest first',
    access: reading,
    params: idParamsSchema,
    query: documentsQuerySchema,
    response: pageOf(documentSchema),
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  knowledgeBaseTasks: {
    method: 'GET',
    path: path('/knowledge-bases/:id/index-tasks'),
    summary: 'Index tasks of a knowledge base, newest first',
    access: reading,
    params: idParamsSchema,
    query: pageQuerySchema,
    response: pageOf(indexTaskSchema),
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  document: {
    method: 'GET',
    path: path('/documents/:id'),
    summary: 'One document; its ETag changes with its state',
    access: reading,
    params: idParamsSchema,
    response: documentSchema,
    conditional: true,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  documentContent: {
    method: 'GET',
    path: path('/documents/:id/content'),
    summary: 'The file as it was uploaded, under its own name',
    access: reading,
    params: idParamsSchema,
    bytes: true,
    mediaTypes: storedMediaTypes,
    conditional: true,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  replaceDocument: {
    method: 'PUT',
    path: path('/documents/:id/content'),
    summary: 'A new version of a document; the old one is retrievable until the new one is indexed',
    access: writing,
    params: idParamsSchema,
    form: uploadFormSchema,
    response: uploadAnswerSchema,
    idempotent: true,
    statuses: [200, 202],
    errors: ['NOT_FOUND', 'CONFLICT', 'DOCUMENT_UNREADABLE']
  },
  documentText: {
    method: 'GET',
    path: path('/documents/:id/text'),
    summary: 'The readable text that spans of chunks and citations point into',
    access: reading,
    params: idParamsSchema,
    query: documentTextQuerySchema,
    response: documentTextSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  documentChunks: {
    method: 'GET',
    path: path('/documents/:id/chunks'),
    summary: 'The chunks of the indexed version, in order',
    access: reading,
    params: idParamsSchema,
    query: pageQuerySchema,
    response: pageOf(documentChunkSchema),
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  deleteDocument: {
    method: 'DELETE',
    path: path('/documents/:id'),
    summary: 'Deletes a document; it is not retrievable any more when this answers',
    access: writing,
    params: idParamsSchema,
    statuses: [204],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  createIndexTask: {
    method: 'POST',
    path: path('/documents/:id/index-tasks'),
    summary: 'Indexes the newest version of a document',
    access: writing,
    params: idParamsSchema,
    response: indexTaskSchema,
    statuses: [202],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  documentTasks: {
    method: 'GET',
    path: path('/documents/:id/index-tasks'),
    summary: 'Index tasks of a document, newest first',
    access: reading,
    params: idParamsSchema,
    query: pageQuerySchema,
    response: pageOf(indexTaskSchema),
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  indexTask: {
    method: 'GET',
    path: path('/index-tasks/:id'),
    summary: 'One index task with its progress',
    access: reading,
    params: idParamsSchema,
    response: indexTaskSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  retryIndexTask: {
    method: 'POST',
    path: path('/index-tasks/:id/retry'),
    summary: 'Tries a task that failed or was cancelled again, as a new task',
    access: writing,
    params: idParamsSchema,
    response: indexTaskSchema,
    statuses: [202],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  cancelIndexTask: {
    method: 'POST',
    path: path('/index-tasks/:id/cancel'),
    summary: 'Cancels a task that has not ended; the version that is indexed stays',
    access: writing,
    params: idParamsSchema,
    response: indexTaskSchema,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT']
  }
} as const satisfies Record<string, Route>
