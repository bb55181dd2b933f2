import {
  credentialsSchema,
  meSchema,
  newAccountSchema,
  newUserSchema,
  passwordChangeSchema,
  userChangeSchema,
  userSchema
} from '../access/account.ts'
import { apiKeySchema, createdApiKeySchema, newApiKeySchema } from '../access/api-key.ts'
import { idParamsSchema } from '../pages/ids.ts'
import { pageOf, pageQuerySchema } from '../pages/page.ts'
import { API_PREFIX } from './prefix.ts'
import { type Route, storageErrors } from './route.ts'

const path = <const P extends string>(rest: P) => `${API_PREFIX}${rest}` as const

export const accessRoutes = {
  bootstrap: {
    method: 'POST',
    path: path('/auth/bootstrap'),
    summary:
      'Makes the first account, an administrator, and signs it in; only from this machine, only while there is none',
    access: 'anyone',
    body: newAccountSchema,
    response: meSchema,
    statuses: [201],
    errors: ['CONFLICT', ...storageErrors]
  },
  login: {
    method: 'POST',
    path: path('/auth/login'),
    summary: 'Signs in; the session is a cookie',
    access: 'anyone',
    body: credentialsSchema,
    response: meSchema,
    statuses: [200],
    errors: ['AUTH_REQUIRED', ...storageErrors]
  },
  logout: {
    method: 'POST',
    path: path('/auth/logout'),
    summary: 'Ends the session, if there is one',
    access: 'anyone',
    statuses: [204],
    errors: [...storageErrors]
  },
  me: {
    method: 'GET',
    path: path('/auth/me'),
    summary: 'Who asks',
    access: 'anyone',
    response: meSchema,
    statuses: [200],
    errors: ['AUTH_REQUIRED', ...storageErrors]
  },
  changePassword: {
    method: 'PUT',
    path: path('/auth/password'),
    summary: 'Changes the own password and ends all other sessions',
    access: 'person',
    body: passwordChangeSchema,
    statuses: [204],
    errors: []
  },
  createApiKey: {
    method: 'POST',
    path: path('/api-keys'),
    summary: 'Makes a key; it is told this once',
    access: 'person',
    body: newApiKeySchema,
    response: createdApiKeySchema,
    statuses: [201],
    errors: []
  },
  apiKeys: {
    method: 'GET',
    path: path('/api-keys'),
    summary: 'The own keys that still work, newest first',
    access: 'person',
    query: pageQuerySchema,
    response: pageOf(apiKeySchema),
    statuses: [200],
    errors: []
  },
  apiKey: {
    method: 'GET',
    path: path('/api-keys/:id'),
    summary: 'One of the own keys, without the key itself',
    access: 'person',
    params: idParamsSchema,
    response: apiKeySchema,
    statuses: [200],
    errors: ['NOT_FOUND']
  },
  revokeApiKey: {
    method: 'DELETE',
    path: path('/api-keys/:id'),
    summary: 'Ends a key at once',
    access: 'person',
    params: idParamsSchema,
    statuses: [204],
    errors: ['NOT_FOUND']
  },
  users: {
    method: 'GET',
    path: path('/users'),
    summary: 'Everybody who can, or could, sign in',
    access: ['admin'],
    query: pageQuerySchema,
    response: pageOf(userSchema),
    statuses: [200],
    errors: []
  },
  createUser: {
    method: 'POST',
    path: path('/users'),
    summary: 'Adds a person',
    access: ['admin'],
    body: newUserSchema,
    response: userSchema,
    statuses: [201],
    errors: ['CONFLICT']
  },
  changeUser: {
    method: 'PATCH',
    path: path('/users/:id'),
    summary: 'Disables or enables a person, changes the role, sets a new password; ends their sessions',
    access: ['admin'],
    params: idParamsSchema,
    body: userChangeSchema,
    response: userSchema,
    statuses: [200],
    errors: ['NOT_FOUND', 'CONFLICT']
  }
} as const satisfies Record<string, Route>
