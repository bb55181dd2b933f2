import { PortError } from '@oncall-agent/retrieval'
import type { MatchRequest, PortFailure, StructuredIndex } from '@oncall-agent/retrieval'
import { entryOf } from '@oncall-agent/retrieval/conformance'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSearchEngineIndex } from './index.ts'
import type { SearchEngineOptions } from './index.ts'
import { fingerprint } from './test-support/engine-for-tests.ts'
import { bulkItems, idleEngine, nothingFound, openSearchVersion } from './test-support/idle-engine.ts'
import { ANSWERED, reply, scriptedEngine } from './test-support/scripted-engine.ts'
import type { Answering, ScriptedEngine } from './test-support/scripted-engine.ts'

const pair = { tenantId: 't', knowledgeBaseId: 'k' }
const everything: MatchRequest = {
  pairs: [pair],
  filters: {},
  mode: 'all',
  clauses: [],
  titleBoost: 1,
  from: 0,
  size: 10
}
const vector = new Float32Array(fingerprint.dimension).fill(1)

let server: ScriptedEngine
let index: StructuredIndex
const open = (options: Partial<SearchEngineOptions> = {}): StructuredIndex =>
  openSearchEngineIndex({ engine: 'opensearch', url: server.url, fingerprint, timeoutMs: 300, retries: 1, ...options })

beforeEach(async () => {
  server = await scriptedEngine(idleEngine(openSearchVersion))
  index = open()
})
afterEach(async () => {
  await index.close()
  await server.close()
})

/** Only searches are answered so; everything else goes well. */
function onSearch(answering: Answering): void {
  server.answer((request, response) => (request.call.endsWith('/_search') ? answering(request, response) : undefined))
}

function onBulk(answering: Answering): void {
  server.answer((request, response) => (request.call === 'POST /_bulk' ? answering(request, response) : undefined))
}

async function failure(promise: Promise<unknown>): Promise<PortError> {
  const error: unknown = await promise.then(
    (value) => value,
    (thrown: unknown) => thrown
  )
  expect(error).toBeInstanceOf(PortError)
  return error as PortError
}

const searches = [
  () => index.match(everything),
  () => index.match({ ...everything, rescore: { vector, window: 5, weight: 0.5 } }),
  () => index.facets({ ...everything, fields: ['project'], buckets: 20 }),
  () => index.nearest({ pairs: [pair], filters: {}, vector, k: 3, numCandidates: 100 }),
  () => index.listDocuments(pair)
]

const engineError = (type: string, status: number, reason = 'because') => ({
  error: { root_cause: [{ type, reason }], type, reason },
  status
})

describe('an answer that is no whole answer fails every search', () => {
  const { hits, _shards: shards } = nothingFound
  test.each<[string, PortFailure, Answering]>([
    ['status 200 with failed shards', 'unavailable', () => ({ ...nothingFound, _shards: { ...shards, failed: 1 } })],
    ['status 200 out of time', 'unavailable', () => ({ ...nothingFound, timed_out: true })],
    [
      'a total that is a lower bound',
      'unavailable',
      () => ({ ...nothingFound, hits: { ...hits, total: { value: 9, relation: 'gte' } } })
    ],
    ['the page of a proxy', 'unavailable', (_, response) => html(response, 200)],
    ['JSON of something else', 'unavailable', () => ({ ok: true })],
    ['broken JSON', 'unavailable', (_, response) => reply(response, 200, '{"hits":')],
    ['a bad gateway', 'unavailable', (_, response) => html(response, 502)],
    [
      'no cluster manager',
      'unavailable',
      (_, response) => reply(response, 503, engineError('cluster_manager_not_discovered_exception', 503))
    ],
    [
      'a full queue',
      'unavailable',
      (_, response) => reply(response, 429, engineError('rejected_execution_exception', 429))
    ],
    ['wrong credentials', 'unavailable', (_, response) => html(response, 401)],
    [
      'a sort by a field that is not there',
      'corrupt',
      (_, response) => reply(response, 400, engineError('query_shard_exception', 400))
    ],
    [
      'an index that somebody closed',
      'unavailable',
      (_, response) => reply(response, 400, engineError('index_closed_exception', 400))
    ],
    [
      'a request that it does not understand',
      'invalid-argument',
      (_, response) => reply(response, 400, engineError('parsing_exception', 400))
    ],
    ['a head without an end', 'unavailable', (_, response) => stall(response)],
    ['a connection that breaks in the middle', 'unavailable', (_, response) => breakOff(response)]
  ])('%s is %s', async (_name, expected, answering) => {
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {})
    onSearch(answering)
    for (const search of searches) expect((await failure(search())).failure).toBe(expected)
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
  })

  test('what the engine says of documents and queries stays in the cause, cut short', async () => {
    const reason = `customer 4711 ${'x'.repeat(5_000)}`
    onSearch((_, response) => reply(response, 400, engineError('parsing_exception', 400, reason)))
    const { message, hint, cause } = await failure(index.match(everything))
    expect(message + hint).not.toContain('4711')
    expect((cause as Error).message).toContain('4711')
    expect((cause as Error).message.length).toBeLessThan(600)
  })

  test('a secret is in no part of any error', async () => {
    const secret = open({ username: 'reader', password: 'hush-hush' })
    server.answer((_, response) => reply(response, 403, engineError('security_exception', 403, 'no permissions')))
    const error = await failure(secret.match(everything))
    expect(error).toMatchObject({ failure: 'unavailable', hint: expect.stringContaining('search.password') })
    const everywhere = JSON.stringify([error, error.cause, error.message, error.stack, error.subject])
    expect(everywhere + Object.values(error.cause as object).join()).not.toMatch(/hush|cmVhZGVy/)
    expect(server.requests.at(-1)!.headers.authorization).toMatch(/^Basic /)
    await secret.close()
  })
})

describe('what may pass is tried again', () => {
  test.each([429, 500, 502, 503, 504])('status %i once', async (status) => {
    let times = 0
    onSearch((_, response) =>
      times++ === 0 ? reply(response, status, engineError('some_exception', status)) : nothingFound
    )
    expect((await index.match(everything)).total).toBe(0)
    expect(times).toBe(2)
  })

  test('an index that a rebuild has just deleted, but no other that is missing', async () => {
    let missing = 'kb_alarm_v1_20260101000000_0123abcd'
    let times = 0
    onSearch((_, response) => {
      const { error } = engineError('index_not_found_exception', 404)
      return times++ === 0 ? reply(response, 404, { error: { ...error, index: missing } }) : nothingFound
    })
    expect((await index.match(everything)).total).toBe(0)
    missing = 'kb_alarm_v1'
    times = 0
    expect(await failure(index.match(everything))).toMatchObject({
      failure: 'unavailable',
      hint: expect.stringContaining('reindex')
    })
    expect(times).toBe(1)
  })

  test('no more often than was said, and nothing that will not pass', async () => {
    let times = 0
    let status = 503
    onSearch((_, response) => {
      times++
      return reply(response, status, engineError('some_exception', status))
    })
    await failure(index.match(everything))
    expect(times).toBe(2)
    status = 400
    times = 0
    await failure(index.match(everything))
    expect(times).toBe(1)
  })

  test('at another address, when one is down', async () => {
    const two = open({ url: `http://127.0.0.1:9, ${server.url}/` })
    for (let search = 0; search < 4; search++) expect((await two.match(everything)).total).toBe(0)
    await two.close()
  })

  test('of a bulk request only what a busy shard refused', async () => {
    const sent: number[] = []
    onBulk(({ body }) => {
      const items = bulkItems(body as object[])
      sent.push(items.length)
      const busy = { index: { _index: 'i', ...engineError('rejected_execution_exception', 429) } }
      return {
        items: sent.length === 1 ? [busy, ...items.slice(1)] : items
      }
    })
    await index.replaceDocument(entryOf(pair, 'd'))
    expect(sent).toEqual([3, 1])
  })
})

describe('a write', () => {
  test.each<[string, PortFailure, Answering]>([
    ['that one shard refuses', 'unavailable', bulkAnswer(503, 'unavailable_shards_exception')],
    ['into a mapping that is not ours', 'corrupt', bulkAnswer(400, 'strict_dynamic_mapping_exception')],
    ['that is too large', 'invalid-argument', (_, response) => html(response, 413)],
    ['with fewer answers than operations', 'unavailable', () => ({ items: [] })]
  ])('%s is %s', async (_name, expected, answering) => {
    onBulk(answering)
    expect((await failure(index.replaceDocument(entryOf(pair, 'd')))).failure).toBe(expected)
  })

  test('goes on above the version of a process whose clock is ahead', async () => {
    const ahead = Date.now() * 1_000 + 3_600_000_000
    const versions: number[] = []
    onBulk(({ body }) => {
      const [action] = body as [{ index: { version: number } }]
      versions.push(action.index.version)
      if (action.index.version > ahead) return { items: bulkItems(body as object[]) }
      const reason = `[d]: version conflict, current version [${ahead}] is higher than the one provided [1]`
      const conflict = { _index: 'i', ...engineError('version_conflict_engine_exception', 409, reason), status: 409 }
      return { items: bulkItems(body as object[]).map(() => ({ index: conflict })) }
    })
    await index.replaceDocument(entryOf(pair, 'd'))
    expect(versions).toHaveLength(2)
    expect(versions[1]).toBe(ahead + 1)
  })
})

test('nothing is dialled before the first call, and a wrong address is refused without repeating it', () => {
  expect(server.requests).toEqual([])
  for (const url of ['', ' , ', 'localhost:9200', 'ftp://host', 'https://reader:hush@host', 'http://host?x=hush']) {
    let error: unknown
    try {
      open({ url })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ failure: 'invalid-argument', hint: expect.stringContaining('search.url') })
    expect(String(error)).not.toMatch(/hush/)
  }
})

function html(response: Parameters<Answering>[1], status: number): typeof ANSWERED {
  response.writeHead(status, { 'content-type': 'text/html' })
  response.end('<html>hello</html>')
  return ANSWERED
}

function stall(response: Parameters<Answering>[1]): typeof ANSWERED {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"hits":')
  return ANSWERED
}

function breakOff(response: Parameters<Answering>[1]): typeof ANSWERED {
  stall(response)
  setTimeout(() => response.destroy(), 20)
  return ANSWERED
}

function bulkAnswer(status: number, type: string): Answering {
  return ({ body }) => ({
    items: bulkItems(body as object[]).map((item) => ({
      [Object.keys(item)[0]!]: { _index: 'i', ...engineError(type, status), status }
    }))
  })
}
