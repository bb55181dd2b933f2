import { entryOf } from '@oncall-agent/retrieval/conformance'
import { DEFAULT_KNOWLEDGE_TYPES, PortError, strictClause, tokenize } from '@oncall-agent/retrieval'
import type { MatchRequest, StructuredIndex } from '@oncall-agent/retrieval'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gateBefore } from './test-support/engine-gate.ts'
import type { EngineGate } from './test-support/engine-gate.ts'
import { START_TIMEOUT_MS, engineForTests, fingerprint, streamOf } from './test-support/engine-for-tests.ts'

const engine = await engineForTests()
const pair = { tenantId: 't', knowledgeBaseId: 'k' }
const entry = (body: string) => entryOf(pair, 'd', { body })
const everything: MatchRequest = {
  pairs: [pair],
  filters: {},
  mode: 'all',
  clauses: [],
  titleBoost: 1,
  from: 0,
  size: 10
}
/** One attempt and a half: enough to see that the bound is the sum of the attempts. */
const hasty = { timeoutMs: 300, retries: 1 }

async function failure(promise: Promise<unknown>): Promise<PortError> {
  const error = await promise.then(
    (value) => new Error(`resolved with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown
  )
  if (error instanceof PortError) return error
  throw error
}

async function bodies(index: StructuredIndex): Promise<string[]> {
  return (await index.match(everything)).hits.map(({ document }) => document.body)
}

/** Every way to ask; each must fail, for an empty answer would look like an answer. */
function questions(index: StructuredIndex): (() => Promise<unknown>)[] {
  const vector = new Float32Array(fingerprint.dimension).fill(1)
  return [
    () => index.match(everything),
    () => index.match({ ...everything, rescore: { vector, window: 5, weight: 0.5 } }),
    () => index.facets({ ...everything, fields: ['project'], buckets: 20 }),
    () => index.nearest({ pairs: [pair], filters: {}, vector, k: 3, numCandidates: 100 }),
    () => index.listDocuments(pair)
  ]
}

function writes(index: StructuredIndex): (() => Promise<unknown>)[] {
  return [() => index.replaceDocument(entry('new')), () => index.deleteDocument(pair, 'd')]
}

describe.skipIf(engine.isMissing)(`an OpenSearch that cannot do what is asked ${engine.note}`, () => {
  let index: StructuredIndex
  beforeAll(engine.start, START_TIMEOUT_MS)
  afterAll(engine.stop)
  beforeEach(async () => {
    index = await engine.emptyIndex()
    await index.replaceDocument(entry('old'))
  })
  afterEach(() => index.close())

  test('a frozen node makes every call fail in bounded time, and none empty; thawed it answers again', async () => {
    const other = engine.open(hasty)
    await other.match(everything)
    const { pid } = engine.nodes()[0]!
    process.kill(pid, 'SIGSTOP')
    try {
      for (const call of [...questions(other), ...writes(other)]) {
        const error = await failure(call())
        expect(error).toMatchObject({
          failure: 'unavailable',
          message: expect.stringMatching(/did not answer within 300 ms/)
        })
        expect(error.hint).toContain('search.timeoutMs')
      }
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    expect(await bodies(index)).toHaveLength(1)
    await other.close()
  })

  test('whoever leaves is not kept by a frozen node, and closing ends what is under way', async () => {
    const other = engine.open({ timeoutMs: 60_000 })
    await other.match(everything)
    const { pid } = engine.nodes()[0]!
    process.kill(pid, 'SIGSTOP')
    try {
      const leaving = new AbortController()
      const reason = new Error('the caller left')
      const left = other.match(everything, leaving.signal)
      const closed = failure(other.match(everything))
      setTimeout(() => leaving.abort(reason), 50)
      await expect(left).rejects.toBe(reason)
      await other.close()
      expect((await closed).failure).toBe('closed')
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  test('a missing alias is unavailable with a hint to rebuild; a write makes no index in its place', async () => {
    await engine.ask('DELETE', '/kb_setup_v1_*')
    const fresh = engine.open()
    for (const each of [index, fresh]) {
      for (const call of [...questions(each), ...writes(each)]) {
        const error = await failure(call())
        expect(error).toMatchObject({ failure: 'unavailable', hint: expect.stringContaining('oncall reindex') })
        expect(error.message).toContain('kb_setup_v1')
      }
    }
    expect(await engine.ask('GET', '/kb_setup_v1*')).toEqual({})
    await index.rebuild(streamOf([entry('rebuilt')]))
    expect(await bodies(fresh)).toEqual(['rebuilt'])
    await fresh.close()
  })

  test('an index that we did not make, or made for another model or release, is refused before it is searched', async () => {
    const mark = { format: 1, model: 'test', dimension: 32, normalised: true, embedder_tokenizer: 'test', words: 'v1' }
    const marks = [
      [{}, 'corrupt'],
      [{ _meta: { ...mark, format: 2 } }, 'newer-format'],
      [{ _meta: { ...mark, format: 0 } }, 'corrupt'],
      [{ _meta: { ...mark, model: 'other' } }, 'model-mismatch'],
      [{ _meta: { ...mark, words: 'v0' } }, 'model-mismatch']
    ] as const
    for (const [mappings, expected] of marks) {
      await engine.ask('PUT', '/strange', { mappings })
      await engine.ask('POST', '/_aliases', {
        actions: [
          { remove: { index: 'kb_alarm_v1_*', alias: 'kb_alarm_v1' } },
          { add: { index: 'strange', alias: 'kb_alarm_v1' } }
        ]
      })
      const other = engine.open()
      for (const call of [...questions(other), ...writes(other)]) {
        const error = await failure(call())
        expect({ mappings, failure: error.failure }).toEqual({ mappings, failure: expected })
        expect(error.hint).not.toBe('')
      }
      // One that was open all the while finds out by the name of the index that answers.
      await engine.ask('PUT', '/strange/_doc/1?refresh=true', {})
      await engine.ask('POST', '/_aliases', { actions: [{ remove: { index: 'strange', alias: 'kb_alarm_v1' } }] })
      await other.rebuild(streamOf([]))
      await other.close()
      await engine.ask('DELETE', '/strange')
    }
  })

  test('an index that another process rebuilt for another model is refused by those that were open all the while', async () => {
    await index.match(everything)
    const other = engine.open({ fingerprint: { ...fingerprint, model: 'other' } })
    await other.rebuild(streamOf([entry('of another model')]))
    expect((await failure(index.match(everything))).failure).toBe('model-mismatch')
    expect((await failure(index.replaceDocument(entry('new')))).failure).toBe('model-mismatch')
    await other.close()
  })

  test('two indices behind one alias, and an index with the name of an alias, are corrupt with what to do', async () => {
    await engine.ask('PUT', '/second', { aliases: { kb_alarm_v1: {} } })
    const other = engine.open()
    expect(await failure(other.match(everything))).toMatchObject({
      failure: 'corrupt',
      hint: expect.stringContaining('reindex')
    })
    await other.rebuild(streamOf([]))
    expect(await bodies(other)).toEqual([])
    await engine.ask('DELETE', '/second,kb_alarm_v1_*')
    await engine.ask('PUT', '/kb_alarm_v1')
    const third = engine.open()
    for (const call of [() => third.match(everything), () => third.rebuild(streamOf([]))]) {
      expect(await failure(call())).toMatchObject({
        failure: 'corrupt',
        hint: expect.stringContaining('Delete the index kb_alarm_v1')
      })
    }
    await engine.ask('DELETE', '/kb_alarm_v1')
    await Promise.all([other.close(), third.close()])
  })

  test('the other product is told by what it says of itself', async () => {
    const other = engine.open({ engine: 'elasticsearch' })
    for (const call of [() => other.match(everything), () => other.rebuild(streamOf([]))]) {
      expect(await failure(call())).toMatchObject({
        failure: 'unavailable',
        hint: expect.stringContaining('search.engine')
      })
    }
    await other.close()
  })

  describe('behind a gate', () => {
    let gate: EngineGate
    let behind: StructuredIndex
    beforeEach(async () => {
      gate = await gateBefore(engine.url())
      behind = engine.open({ url: gate.url, timeoutMs: 500, retries: 3 })
      await behind.match(everything)
    })
    afterEach(async () => {
      await behind.close()
      await gate.close()
    })

    test('an answer that comes in time at a later attempt is as good as any', async () => {
      gate.shut()
      setTimeout(gate.open, 700)
      expect(await bodies(behind)).toEqual(['old'])
    })

    test('a document that changed its type is not found twice when its former write arrives late', async () => {
      gate.holdNext('POST /_bulk')
      await behind.replaceDocument(entry('first'))
      await behind.replaceDocument({ ...entry('second'), knowledgeType: 'setup' })
      expect(await gate.deliver()).toBe(1)
      expect(await bodies(behind)).toEqual(['second'])
    })

    test('a write that hung on the way and arrives late undoes nothing that was written since', async () => {
      gate.holdNext('POST /_bulk')
      await behind.replaceDocument(entry('first'))
      await behind.replaceDocument(entry('second'))
      expect(await gate.deliver()).toBe(1)
      expect(await bodies(behind)).toEqual(['second'])
    })

    test('a delete that hung on the way and arrives late deletes nothing that was written since', async () => {
      gate.holdNext('POST /_bulk')
      expect(await behind.deleteDocument(pair, 'd')).toBe(true)
      await behind.replaceDocument(entry('again'))
      expect(await gate.deliver()).toBe(1)
      expect(await bodies(behind)).toEqual(['again'])
    })
  })

  test('nobody there is unavailable, and the messages carry no secret', async () => {
    const secrets = { username: 'reader', password: 'hush-hush' }
    const other = engine.open({ url: 'http://127.0.0.1:9', ...hasty, ...secrets })
    for (const call of [...questions(other), ...writes(other), () => other.rebuild(streamOf([]))]) {
      const error = await failure(call())
      expect(error).toMatchObject({
        failure: 'unavailable',
        subject: '127.0.0.1:9',
        message: expect.stringMatching(/reached/)
      })
      expect(error.cause).toBeInstanceOf(Error)
      expect(JSON.stringify(error) + error.stack + String(error.cause)).not.toMatch(/hush|reader|Basic/)
    }
    await other.close()
  })

  test('an entry that no index could hold is refused before anything is sent', async () => {
    const long = 'x'.repeat(40_000)
    for (const draft of [{ project: long }, { equipment: 'half \ud800' }, { errorCodes: ['E1', long] }]) {
      expect((await failure(index.replaceDocument(entryOf(pair, 'd', draft)))).failure).toBe('invalid-argument')
    }
    expect(await bodies(index)).toEqual(['old'])
  })

  test('more than the engine pages through or looks up is an invalid argument', async () => {
    const words = Array.from({ length: 1_100 }, (_, number) => `w${number}`)
    const vector = new Float32Array(fingerprint.dimension).fill(1)
    const requests = [
      { ...everything, from: 9_995 },
      { ...everything, rescore: { vector, window: 10_001, weight: 0.5 } },
      { ...everything, clauses: [strictClause(words.flatMap(tokenize))] }
    ]
    for (const request of requests) expect((await failure(index.match(request))).failure).toBe('invalid-argument')
    expect(index.capabilities.knowledgeTypes).toEqual(DEFAULT_KNOWLEDGE_TYPES)
  })
})
