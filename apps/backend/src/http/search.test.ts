import { AppError, createApiClient, errorBodySchema, type SearchRequest } from '@oncall-agent/api-contracts'
import { afterEach, describe, expect, test } from 'vitest'
import type { Caller } from '../auth/index.ts'
import type { AskedHow } from './dependencies.ts'
import { administrator, noHit, serve, type Served, type ServeParts } from './test-material/served.ts'

let served: Served | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})
async function start(parts?: ServeParts): Promise<Served> {
  served = await serve(parts)
  return served
}

const rooms = (changed: Partial<NonNullable<ServeParts['search']>>): ServeParts => ({
  search: { ask: untouched, giveFeedback: untouched, feedbackSummary: untouched, ...changed }
})
async function untouched(): Promise<never> {
  throw new Error('touched')
}

describe('POST /api/v1/search', () => {
  test('gives the request, who asks and the language to the room, and its answer to the caller', async () => {
    const calls: [Caller, SearchRequest, AskedHow][] = []
    const { postJson } = await start(
      rooms({
        ask: async (...call) => {
          calls.push(call)
          return noHit
        }
      })
    )
    const request = { keywords: ['泵'], from: 3, settings: { title_boost: 5 } }
    const answer = await postJson('/api/v1/search', request, { 'accept-language': 'en-GB,zh;q=0.5' })
    expect(answer).toMatchObject({ status: 200, body: noHit, headers: { vary: 'accept-language' } })
    expect(calls[0]?.[0]).toMatchObject({ via: 'local', tenantId: 'local' })
    expect(calls[0]?.[1]).toEqual(request)
    expect(calls[0]?.[2]).toMatchObject({ language: 'en', signal: { aborted: false } })
    await postJson('/api/v1/search', {})
    expect(calls[1]?.[2].language).toBe('zh')
  })

  test('serves the typed client, and is closed to who is not signed in once there is an account', async () => {
    const running = await start()
    const client = createApiClient({ baseUrl: `http://127.0.0.1:${running.port}` })
    expect(await client.search({ body: { keywords: ['pump'] } })).toEqual(noHit)
    const verdict = { search_id: 'search-1', document_id: 'd', verdict: 'up' as const }
    expect(await client.giveSearchFeedback({ body: verdict })).toEqual({ ...verdict, note: null, updated_at: 1 })
    expect(await client.searchFeedbackSummary()).toMatchObject({ searches: 0 })
    await administrator(running)
    await expect(client.search({ body: {} })).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
  })

  test.each([
    [{ size: 0 }, 'size'],
    [{ mode: 'all' }, 'mode'],
    [{ keyword: 'pump' }, 'keyword'],
    [{ keywords: [1] }, 'keywords.0'],
    [{ knowledge_base_ids: ['a/b'] }, 'knowledge_base_ids.0'],
    [{ settings: { title_boost: 'high' } }, 'settings.title_boost'],
    ['pump', 'body']
  ])('refuses %j and names the field, without the room', async (request, field) => {
    const { postJson } = await start(rooms({}))
    const { status, body } = await postJson('/api/v1/search', request)
    const { error } = errorBodySchema.parse(body)
    expect([status, error.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(error.message).toContain(field)
  })

  test('is 503 when the engine is down, and tells nothing of it', async () => {
    const cause = new Error('connect ECONNREFUSED https://bob:hunter22@search.internal')
    const { postJson, events } = await start(
      rooms({ ask: () => Promise.reject(new AppError('SYSTEM_UNAVAILABLE', { operation: 'search documents', cause })) })
    )
    const { status, body } = await postJson('/api/v1/search', { keywords: ['pump'] })
    expect([status, errorBodySchema.parse(body).error.code]).toEqual([503, 'SYSTEM_UNAVAILABLE'])
    expect(JSON.stringify(body)).not.toMatch(/hunter22|internal|ECONNREFUSED/)
    expect(events().find((event) => event.level === 'error')).toMatchObject({ err: { cause: { name: 'Error' } } })
    expect(JSON.stringify(events())).not.toContain('hunter22')
  })
})

describe('POST /api/v1/search/feedback', () => {
  test.each([
    [{ search_id: 's', document_id: 'd' }, 'verdict'],
    [{ search_id: 's', document_id: 'd', verdict: 'sideways' }, 'verdict'],
    [{ search_id: '', document_id: 'd', verdict: 'up' }, 'search_id'],
    [{ search_id: 's', document_id: 'd', verdict: 'up', note: 'x'.repeat(2_001) }, 'note'],
    [{ search_id: 's', document_id: 'd', verdict: 'up', user_id: 'eve' }, 'user_id']
  ])('refuses %j and names the field', async (request, field) => {
    const { postJson } = await start(rooms({}))
    const { status, body } = await postJson('/api/v1/search/feedback', request)
    expect([status, errorBodySchema.parse(body).error.message]).toEqual([400, expect.stringContaining(field)])
  })

  test('is 404 for a search that is not the caller’s', async () => {
    const missing = new AppError('NOT_FOUND', { operation: 'give feedback' })
    const { postJson } = await start(rooms({ giveFeedback: () => Promise.reject(missing) }))
    const request = { search_id: 's', document_id: 'd', verdict: 'up' }
    expect((await postJson('/api/v1/search/feedback', request)).status).toBe(404)
  })
})
