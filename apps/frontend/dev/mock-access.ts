import type { Credentials, NewApiKey, NewUser, User, UserChange } from '@oncall-agent/api-contracts'
import { found, type MockHandlers, MockRefusal, type MockRequest, nextId, pageOf } from './mock-request.ts'

const meOf = ({ state }: MockRequest) => ({
  body: { user: state.me, via: state.hasAccount ? 'session' : 'local', needsFirstAccount: !state.hasAccount }
})

function signIn(request: MockRequest): ReturnType<typeof meOf> {
  const { username, password } = request.body as Credentials
  if (password === 'wrong-password') throw new MockRefusal('AUTH_REQUIRED')
  request.state.hasAccount = true
  request.state.me = request.state.users.find((user) => user.username === username) ?? request.state.users[0]!
  return meOf(request)
}

export const accessHandlers: MockHandlers = {
  me: (request) => {
    if (request.state.hasAccount && request.state.me === null) throw new MockRefusal('AUTH_REQUIRED')
    return meOf(request)
  },
  login: signIn,
  bootstrap: signIn,
  logout: ({ state }) => {
    state.me = null
    return {}
  },
  changePassword: () => ({}),
  apiKeys: ({ state, query }) => pageOf(state.keys, query),
  createApiKey: ({ state, body }) => {
    const { name, scopes } = body as NewApiKey
    const key = {
      id: nextId(state, 'key'),
      name,
      scopes,
      prefix: 'oncall_9f3a',
      createdAt: Date.now(),
      lastUsedAt: null
    }
    state.keys.unshift(key)
    return { body: { ...key, key: 'oncall_9f3a_only-for-looking-at-the-page' } }
  },
  revokeApiKey: ({ state, params }) => {
    state.keys.splice(
      state.keys.findIndex(({ id }) => id === params.id),
      1
    )
    return {}
  },
  users: ({ state, query }) => pageOf(state.users, query),
  createUser: ({ state, body }) => {
    const { username, role = 'member' } = body as NewUser
    if (state.users.some((user) => user.username === username)) throw new MockRefusal('CONFLICT')
    const user: User = { id: nextId(state, 'u'), username, role, createdAt: Date.now(), disabledAt: null }
    state.users.unshift(user)
    return { body: user }
  },
  changeUser: ({ state, params, body }) => {
    const { role, disabled } = body as UserChange
    const index = state.users.findIndex(({ id }) => id === params.id)
    const user = found(state.users[index])
    const disabledAt = disabled === undefined ? user.disabledAt : disabled ? Date.now() : null
    state.users[index] = { ...user, role: role ?? user.role, disabledAt }
    return { body: state.users[index] }
  }
}
