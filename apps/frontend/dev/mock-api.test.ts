import { createApiClient, errorsOf, type Route, type RouteName, routes } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { answerMock } from './mock-api.ts'
import { mockState } from './mock-state.ts'

const state = mockState('in')
const api = createApiClient({
  baseUrl: 'http://mock.test',
  fetch: async (input, init) => (await answerMock(state, new Request(input, init)))!
})

describe('the mock speaks the contracts', () => {
  const lists = ['knowledgeBases', 'apiKeys', 'users', 'jobs', 'prompts', 'skills', 'mcpServers', 'toolCalls'] as const
  test.each(lists)('%s is a page that ends', async (name) => {
    const page = await api[name]({ query: { limit: 1 } })
    expect(page.total).toBeGreaterThanOrEqual(page.items.length)
    expect(page.nextCursor === null).toBe(page.total <= 1)
  })

  test('a cursor leads through a list without a gap or a repeat', async () => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await api.documents({
        params: { id: 'kb-own' },
        query: { limit: 5, ...(cursor === undefined ? {} : { cursor }) }
      })
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect([ids.length, new Set(ids).size]).toEqual([12, 12])
  })

  test('whoever is not signed in is refused by every route that needs it', async () => {
    const out = mockState('out')
    const closed = (Object.entries(routes) as [RouteName, Route][]).filter(([, { access }]) => access !== 'anyone')
    expect(closed.length).toBeGreaterThan(30)
    for (const [name, { method, path }] of closed) {
      const answer = await answerMock(out, new Request(`http://mock.test${path.replaceAll(/:\w+/g, 'x')}`, { method }))
      expect([name, answer?.status]).toEqual([name, 401])
    }
  })

  test('what it refuses, the route may be refused with', async () => {
    await expect(api.createKnowledgeBase({ body: { name: 'Drafts' } })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(errorsOf(routes.createKnowledgeBase)).toContain('CONFLICT')
    await expect(api.document({ params: { id: 'none' } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(errorsOf(routes.document)).toContain('NOT_FOUND')
  })

  test('an address that is no route’s is left to the page', async () => {
    expect(await answerMock(state, new Request('http://mock.test/lab'))).toBeNull()
  })
})
