import { z } from 'zod'
import { idParamsSchema } from '../pages/ids.ts'
import { pageOf, pageQuerySchema } from '../pages/page.ts'
import { modelTestResultSchema, modelTestSchema, modelsSchema } from '../settings/models.ts'
import {
  mcpCheckSchema,
  mcpServerChangeSchema,
  mcpServerSchema,
  mcpTemplateSchema,
  newMcpServerSchema
} from '../tools/mcp-server.ts'
import { toolCallSchema, toolCallsQuerySchema } from '../tools/tool-call.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

const servers = `${API_PREFIX}/mcp-servers` as const

export const toolRoutes = {
  mcpServers: {
    method: 'GET',
    path: servers,
    summary: 'The own tool servers, by name',
    access: 'person',
    query: pageQuerySchema,
    response: pageOf(mcpServerSchema),
    statuses: [200],
    errors: []
  },
  createMcpServer: {
    method: 'POST',
    path: servers,
    summary: 'Adds a tool server; one that is a program of this machine takes an administrator',
    access: 'person',
    body: newMcpServerSchema,
    response: mcpServerSchema,
    statuses: [201],
    errors: ['CONFLICT']
  },
  mcpTemplates: {
    method: 'GET',
    path: `${servers}/templates`,
    summary: 'Ready-made entries, to be filled in',
    access: 'person',
    response: z.object({ templates: z.array(mcpTemplateSchema).readonly() }).readonly(),
    statuses: [200],
    errors: []
  },
  mcpServer: {
    method: 'GET',
    path: `${servers}/:id`,
    summary: 'One of the own tool servers, without its secrets',
    access: 'person',
    params: idParamsSchema,
    response: mcpServerSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  changeMcpServer: {
    method: 'PATCH',
    path: `${servers}/:id`,
    summary: 'Changes a tool server; the next call connects anew',
    access: 'person',
    params: idParamsSchema,
    body: mcpServerChangeSchema,
    response: mcpServerSchema,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT']
  },
  deleteMcpServer: {
    method: 'DELETE',
    path: `${servers}/:id`,
    summary: 'Takes a tool server away, with its secrets',
    access: 'person',
    params: idParamsSchema,
    statuses: [204],
    errors: ['NOT_FOUND']
  },
  checkMcpServer: {
    method: 'POST',
    path: `${servers}/:id/check`,
    summary: 'Connects now and tells which tools there are',
    access: 'person',
    params: idParamsSchema,
    response: mcpCheckSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  toolCalls: {
    method: 'GET',
    path: `${API_PREFIX}/tool-audit`,
    summary: 'Calls of tools, newest first',
    access: 'person',
    query: toolCallsQuerySchema,
    response: pageOf(toolCallSchema),
    statuses: [200],
    errors: []
  },
  toolCall: {
    method: 'GET',
    path: `${API_PREFIX}/tool-audit/:id`,
    summary: 'One call of a tool',
    access: 'person',
    params: idParamsSchema,
    response: toolCallSchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  models: {
    method: 'GET',
    path: `${API_PREFIX}/settings/models`,
    summary: 'Which models answer here, and what to set to change them',
    access: 'person',
    response: modelsSchema,
    statuses: [200],
    errors: []
  },
  testModel: {
    method: 'POST',
    path: `${API_PREFIX}/settings/models/test`,
    summary: 'Asks a model something small, now',
    access: 'person',
    body: modelTestSchema,
    response: modelTestResultSchema,
    localised: true,
    statuses: [200],
    errors: []
  }
} as const satisfies Record<string, Route>
