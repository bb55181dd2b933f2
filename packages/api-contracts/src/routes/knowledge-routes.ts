import {
  knowledgeBaseChangeSchema,
  knowledgeBaseSchema,
  newKnowledgeBaseSchema,
  readerParamsSchema,
  readerSchema
} from '../knowledge/knowledge-base.ts'
import { idParamsSchema } from '../pages/ids.ts'
import { pageOf, pageQuerySchema } from '../pages/page.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

const path = <const P extends string>(rest: P) => `${API_PREFIX}/knowledge-bases${rest}` as const
const reading = ['retrieve', 'ingest'] as const
const writing = ['ingest'] as const

export const knowledgeRoutes = {
  createKnowledgeBase: {
    method: 'POST',
    path: path(''),
    summary: 'Makes an empty knowledge base',
    access: writing,
    body: newKnowledgeBaseSchema,
    response: knowledgeBaseSchema,
    statuses: [201],
    errors: ['CONFLICT']
  },
  knowledgeBases: {
    method: 'GET',
    path: path(''),
    summary: 'The own knowledge bases and those that are shared with the caller',
    access: reading,
    query: pageQuerySchema,
    response: pageOf(knowledgeBaseSchema),
    statuses: [200],
    errors: []
  },
  knowledgeBase: {
    method: 'GET',
    path: path('/:id'),
    summary: 'One knowledge base',
    access: reading,
    params: idParamsSchema,
    response: knowledgeBaseSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  changeKnowledgeBase: {
    method: 'PATCH',
    path: path('/:id'),
    summary: 'Renames or describes a knowledge base',
    access: writing,
    params: idParamsSchema,
    body: knowledgeBaseChangeSchema,
    response: knowledgeBaseSchema,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  deleteKnowledgeBase: {
    method: 'DELETE',
    path: path('/:id'),
    summary: 'Deletes a knowledge base with its documents; nothing of it is retrievable when this answers',
    access: writing,
    params: idParamsSchema,
    statuses: [204],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  readers: {
    method: 'GET',
    path: path('/:id/readers'),
    summary: 'Who else may read a knowledge base of the caller',
    access: reading,
    params: idParamsSchema,
    query: pageQuerySchema,
    response: pageOf(readerSchema),
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  addReader: {
    method: 'PUT',
    path: path('/:id/readers/:userId'),
    summary: 'Lets a person read a knowledge base; `userId` may be their user name',
    access: writing,
    params: readerParamsSchema,
    response: readerSchema,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  removeReader: {
    method: 'DELETE',
    path: path('/:id/readers/:userId'),
    summary: 'Ends that, at once',
    access: writing,
    params: readerParamsSchema,
    statuses: [204],
    errors: ['NOT_FOUND']
  }
} as const satisfies Record<string, Route>
