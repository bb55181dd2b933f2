import { idParamsSchema } from '../pages/ids.ts'
import { pageOf, pageQuerySchema } from '../pages/page.ts'
import {
  newPromptSchema,
  promptChangeSchema,
  promptExportSchema,
  promptImportResultSchema,
  promptImportSchema,
  promptSchema,
  promptVersionParamsSchema,
  promptVersionSchema
} from '../prompts/prompt.ts'
import { API_PREFIX } from './prefix.ts'
import type { Route } from './route.ts'

type Place = 'prompts' | 'skills'

const pathsOf =
  <const P extends Place>(place: P) =>
  <const R extends string>(rest: R) =>
    `${API_PREFIX}/${place}${rest}` as const

/** Prompts and skills are kept alike: the same operations under two addresses. */
function readingRoutes<const P extends Place>(place: P) {
  const path = pathsOf(place)
  return {
    list: {
      method: 'GET',
      path: path(''),
      summary: `The own ${place} and those that the product brings along, by name`,
      access: ['retrieve'],
      query: pageQuerySchema,
      response: pageOf(promptSchema),
      statuses: [200],
      errors: []
    },
    one: {
      method: 'GET',
      path: path('/:id'),
      summary: 'One of them in its newest version',
      access: ['retrieve'],
      params: idParamsSchema,
      response: promptSchema,
      statuses: [200],
      errors: ['NOT_FOUND']
    },
    versions: {
      method: 'GET',
      path: path('/:id/versions'),
      summary: 'Its versions, newest first',
      access: ['retrieve'],
      params: idParamsSchema,
      query: pageQuerySchema,
      response: pageOf(promptVersionSchema),
      statuses: [200],
      errors: ['NOT_FOUND']
    },
    version: {
      method: 'GET',
      path: path('/:id/versions/:version'),
      summary: 'One version',
      access: ['retrieve'],
      params: promptVersionParamsSchema,
      response: promptVersionSchema,
      statuses: [200],
      errors: ['NOT_FOUND']
    },
    export: {
      method: 'GET',
      path: path('/export'),
      summary: 'All of them as Markdown files',
      access: ['retrieve'],
      response: promptExportSchema,
      statuses: [200],
      errors: []
    }
  } as const satisfies Record<string, Route>
}

/** Only a person writes what an agent is told. */
function writingRoutes<const P extends Place>(place: P) {
  const path = pathsOf(place)
  return {
    create: {
      method: 'POST',
      path: path(''),
      summary: 'Makes one; a name that the product brings along too takes its place',
      access: 'person',
      body: newPromptSchema,
      response: promptSchema,
      statuses: [201],
      errors: ['CONFLICT']
    },
    change: {
      method: 'PUT',
      path: path('/:id'),
      summary: 'Writes a new version; older ones stay',
      access: 'person',
      params: idParamsSchema,
      body: promptChangeSchema,
      response: promptSchema,
      statuses: [200],
      errors: ['NOT_FOUND', 'CONFLICT']
    },
    remove: {
      method: 'DELETE',
      path: path('/:id'),
      summary: 'Deletes it with its versions; what the product brings along under the name is back',
      access: 'person',
      params: idParamsSchema,
      statuses: [204],
      errors: ['NOT_FOUND', 'CONFLICT']
    },
    import: {
      method: 'POST',
      path: path('/import'),
      summary: 'Takes files as an export writes them, all or none',
      access: 'person',
      body: promptImportSchema,
      response: promptImportResultSchema,
      statuses: [200],
      errors: []
    }
  } as const satisfies Record<string, Route>
}

const prompts = { ...readingRoutes('prompts'), ...writingRoutes('prompts') }
const skills = { ...readingRoutes('skills'), ...writingRoutes('skills') }

export const promptRoutes = {
  prompts: prompts.list,
  createPrompt: prompts.create,
  prompt: prompts.one,
  changePrompt: prompts.change,
  deletePrompt: prompts.remove,
  promptVersions: prompts.versions,
  promptVersion: prompts.version,
  importPrompts: prompts.import,
  exportPrompts: prompts.export,
  skills: skills.list,
  createSkill: skills.create,
  skill: skills.one,
  changeSkill: skills.change,
  deleteSkill: skills.remove,
  skillVersions: skills.versions,
  skillVersion: skills.version,
  importSkills: skills.import,
  exportSkills: skills.export
} as const satisfies Record<string, Route>
