import { type ApiClient, type ApiScope, createApiClient, type IndexTask } from '@oncall-agent/api-contracts'
import { setTimeout as delay } from 'node:timers/promises'

export const PASSWORD = 'correct horse battery'

export interface Person {
  readonly id: string
  readonly username: string
  /** Value of the Cookie header. */
  readonly cookie: string
  readonly api: ApiClient
}

/** The first account of a server. */
export function bootstrap(address: string, username = 'ana'): Promise<Person> {
  return enter(address, 'bootstrap', { username, password: PASSWORD })
}

export function signIn(address: string, username: string, password = PASSWORD): Promise<Person> {
  return enter(address, 'login', { username, password })
}

/** One more person, added by an administrator and signed in. */
export async function addPerson(address: string, admin: Person, username: string): Promise<Person> {
  await admin.api.createUser({ body: { username, password: PASSWORD } })
  return signIn(address, username)
}

export async function keyOf(address: string, { api }: Person, ...scopes: readonly ApiScope[]): Promise<ApiClient> {
  const { key } = await api.createApiKey({ body: { name: scopes.join(' '), scopes } })
  return createApiClient({ baseUrl: address, apiKey: key })
}

/** A client that keeps the session's cookie, as a browser does. */
async function enter(
  address: string,
  how: 'bootstrap' | 'login',
  body: { readonly username: string; readonly password: string }
): Promise<Person> {
  let cookie = ''
  const client = createApiClient({
    baseUrl: address,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      if (cookie !== '') headers.set('cookie', cookie)
      const response = await fetch(input, { ...init, headers })
      const given = response.headers.getSetCookie()[0]?.split(';')[0]
      if (given !== undefined) cookie = given
      return response
    }
  })
  const { user } = await client[how]({ body })
  if (user === null) throw new Error('nobody has signed in')
  return { id: user.id, username: user.username, cookie, api: client }
}

export const FINAL: readonly IndexTask['status'][] = ['succeeded', 'failed', 'cancelled']

/** Polls until a task has ended. Rejects after `withinMs`. */
export async function ended(api: ApiClient, taskId: string, withinMs = 60_000): Promise<IndexTask> {
  const until = Date.now() + withinMs
  while (true) {
    const task = await api.indexTask({ params: { id: taskId } })
    if (FINAL.includes(task.status)) return task
    if (Date.now() > until) throw new Error(`the task has not ended: ${JSON.stringify(task)}`)
    await delay(50)
  }
}

/** All items of a list, page by page. */
export async function all<Item>(
  list: (query: { readonly limit: number; readonly cursor?: string }) => Promise<{
    readonly items: readonly Item[]
    readonly nextCursor: string | null
  }>
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null | undefined
  do {
    const page = await list({ limit: 200, ...(typeof cursor === 'string' ? { cursor } : {}) })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

export const file = (name: string, content: string | Uint8Array<ArrayBuffer>) => ({
  name,
  content: new Blob([content])
})
