import type { KnowledgeIndex, ReadablePair } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bodiesIn, OutsideEngine } from '../test-material/search-engine.ts'
import { eventually, noForm, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'

let engine: OutsideEngine
let bench: ServiceBench
let of: Awaited<ReturnType<ServiceBench['owner']>>
let pair: ReadablePair

beforeEach(async () => {
  engine = new OutsideEngine()
  bench = await ServiceBench.open({ searchEngine: engine, maxAttempts: 50 })
  of = await bench.owner()
  pair = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
})
afterEach(() => bench.close())

/** Ids of the documents that structured search finds by a word, as the index itself answers. */
async function searched(index: KnowledgeIndex, word: string, filters = {}): Promise<readonly string[]> {
  const clauses = [{ tokens: [word], minimum: 1 }]
  const request = { pairs: [pair], filters, clauses, mode: 'all', titleBoost: 3, from: 0, size: 10 } as const
  const { hits } = await index.structured.match(request)
  return hits.map(({ document }) => document.documentId)
}

describe('an index task', () => {
  it('makes its document an entry of structured search, by form and front matter', async () => {
    const text = '---\nproject: billing\nknowledge_type: alarm\n---\n# 网关\n\ngateway words E_CONN_RESET\n'
    const form = { ...toBeIndexed, project: 'ledger', detectErrorCodes: true }
    const { document, task } = await bench.upload(of, ['a.md', text], form)
    await bench.ended(task!.id)
    expect(await searched(bench.index, 'gateway')).toEqual([document.id])
    expect(await searched(bench.index, 'gateway', { project: 'billing' })).toEqual([])
    expect(await searched(bench.index, 'gateway', { project: 'ledger', errorCodes: ['E_CONN_RESET'] })).toEqual([
      document.id
    ])
    const entry = await bench.index.entry(pair, document.id)
    const { text: stored } = await bench.service.text(of.caller, document.id, undefined)
    expect(entry).toMatchObject({ title: '网关', body: stored, knowledgeType: 'alarm', createdAt: document.createdAt })
    expect(entry!.vector).toHaveLength(16)
  })

  it('of a document whose type is not configured warns of it, and searches it as the default one', async () => {
    const id = await bench.indexed(of, 'a.md', '---\nknowledge_type: runbook\n---\nwords\n')
    const document = await bench.service.document(of.caller, id)
    expect(document.warnings).toEqual([expect.stringMatching(/"runbook" is none of alarm, setup, experience/)])
    expect(document.attributes.knowledgeType).toBe('runbook')
    expect(await bench.index.entry(pair, id)).toMatchObject({ knowledgeType: 'experience' })
  })

  it('gives the search engine the document before the facts say that it is indexed', async () => {
    const { document, task } = await bench.upload(of, ['a.md', 'copied words'])
    expect(task).toBe(null)
    const before = Promise.withResolvers<number | null>()
    engine.meanwhile = async () => {
      expect(await bench.index.entry(pair, document.id)).toMatchObject({ body: 'copied words' })
      before.resolve((await bench.store.documents.find(document.id))!.indexedVersion)
    }
    const asked = await bench.service.createTask(of.caller, document.id)
    expect(await before.promise).toBe(null)
    expect(await bench.ended(asked.id)).toMatchObject({ status: 'succeeded' })
    expect(bodiesIn(engine, pair)).toEqual({ [document.id]: 'copied words' })
  })

  it('is tried again while the search engine is down, embeds once, and ends well when it is up', async () => {
    engine.isDown = true
    const { document, task } = await bench.upload(of, ['a.md', 'late words'], toBeIndexed)
    await eventually(async () => ((await bench.store.indexTasks.find(task!.id))!.attempt > 2 ? true : undefined))
    expect(await bench.service.document(of.caller, document.id)).toMatchObject({ indexedVersion: null })
    expect(await searched(bench.index, 'late')).toEqual([document.id])
    engine.isDown = false
    expect(await bench.ended(task!.id)).toMatchObject({ status: 'succeeded' })
    expect(bodiesIn(engine, pair)).toEqual({ [document.id]: 'late words' })
    expect(bench.embedder.batches).toHaveLength(1)
    expect(await bench.service.document(of.caller, document.id)).toMatchObject({ indexStatus: 'indexed' })
  })

  it('replaces the document in the search engine, and keeps its place in the corpus', async () => {
    const id = await bench.indexed(of, 'a.md', 'first words')
    const { createdAt } = (await bench.index.entry(pair, id))!
    const { task } = await bench.service.replace(of.caller, id, noForm, await bench.receive('a.md', 'second words'))
    await bench.ended(task!.id)
    expect(bodiesIn(engine, pair)).toEqual({ [id]: 'second words' })
    expect(engine.all()[0]!.createdAt).toBe(createdAt)
  })

  it('makes the entry again that the index lost', async () => {
    const id = await bench.indexed(of, 'a.md', 'words')
    const lost = (await bench.index.entry(pair, id))!
    await bench.index.structured.deleteDocument(pair, id)
    const again = await bench.service.createTask(of.caller, id)
    expect(await bench.ended(again.id)).toMatchObject({ status: 'succeeded' })
    expect(await bench.index.entry(pair, id)).toEqual(lost)
  })
})

describe('an index task that fails for good', () => {
  it('because of the search engine says so in words that a person understands', async () => {
    const once = await ServiceBench.open({ searchEngine: engine, maxAttempts: 1 })
    engine.isDown = true
    const own = await once.owner()
    const { document, task } = await once.upload(own, ['a.md', 'words'], toBeIndexed)
    const { status, reason } = await once.ended(task!.id)
    expect([status, reason]).toEqual([
      'failed',
      {
        code: 'SYSTEM_UNAVAILABLE',
        message: 'The search engine (memory) could not be brought up to date. Check that it runs.'
      }
    ])
    expect(await once.service.document(own.caller, document.id)).toMatchObject({ indexStatus: 'failed' })
    engine.isDown = false
    const retry = await once.service.retryTask(own.caller, task!.id)
    expect(await once.ended(retry.id)).toMatchObject({ status: 'succeeded' })
    expect(Object.values(bodiesIn(engine, { ...own.caller, knowledgeBaseId: own.baseId }))).toEqual(['words'])
    await once.close()
  })
})

describe('deleting', () => {
  it('a document takes it out of the index at once, and out of the search engine soon after', async () => {
    const id = await bench.indexed(of, 'a.md', 'words')
    await bench.service.deleteDocument(of.caller, id)
    expect(await bench.index.entry(pair, id)).toBe(undefined)
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
  })

  it('a document does not wait for a search engine that hangs, also while a task gives it the document', async () => {
    const hanging = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const { document } = await bench.upload(of, ['a.md', 'words'])
    engine.meanwhile = () => {
      reached.resolve()
      return hanging.promise
    }
    await bench.service.createTask(of.caller, document.id)
    await reached.promise
    await bench.service.deleteDocument(of.caller, document.id)
    expect(await bench.index.entry(pair, document.id)).toBe(undefined)
    hanging.resolve()
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
    expect(await bench.index.entry(pair, document.id)).toBe(undefined)
  })

  it('a document while the search engine is down removes it there when it is up again', async () => {
    const id = await bench.indexed(of, 'a.md', 'words')
    engine.isDown = true
    await bench.service.deleteDocument(of.caller, id)
    expect(await bench.index.entry(pair, id)).toBe(undefined)
    expect(Object.keys(bodiesIn(engine, pair))).toEqual([id])
    engine.isDown = false
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
  })

  it('a document in the moment of copying leaves it nowhere', async () => {
    const { document, task } = await bench.upload(of, ['a.md', 'words'])
    expect(task).toBe(null)
    // Another process: it does not wait for this one's locks.
    const other = await ServiceBench.open({ folder: bench.folder, working: false, searchEngine: engine })
    engine.meanwhile = () => other.service.deleteDocument(of.caller, document.id)
    await bench.service.createTask(of.caller, document.id)
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
    expect(await bench.index.entry(pair, document.id)).toBe(undefined)
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual([])
    await other.end()
  })

  it('a document in the moment in which the search engine goes down leaves it nowhere', async () => {
    const { document } = await bench.upload(of, ['a.md', 'words'])
    const other = await ServiceBench.open({ folder: bench.folder, working: false, searchEngine: engine })
    engine.meanwhile = async () => {
      await other.service.deleteDocument(of.caller, document.id)
      engine.isDown = true
    }
    await bench.service.createTask(of.caller, document.id)
    await eventually(async () => ((await bench.index.entry(pair, document.id)) === undefined ? true : undefined))
    engine.isDown = false
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual([])
    await other.end()
  })

  it('a base takes all of it out of the search engine, also what the index did not know of', async () => {
    await bench.indexed(of, 'a.md', 'words')
    await engine.replaceDocument({ ...engine.all()[0]!, documentId: 'left over' })
    await bench.service.deleteBase(of.caller, of.baseId)
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
  })
})
