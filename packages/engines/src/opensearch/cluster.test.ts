import { setTimeout as sleep } from 'node:timers/promises'
import { entryOf } from '@oncall-agent/retrieval/conformance'
import { PortError, strictClause } from '@oncall-agent/retrieval'
import type { MatchRequest, StructuredIndex } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { START_TIMEOUT_MS, engineForTests, streamOf } from './test-support/engine-for-tests.ts'

const engine = await engineForTests(3)
const pair = { tenantId: 't', knowledgeBaseId: 'k' }
const KEPT = 60
/** Milliseconds of traffic before and after a node dies; an election takes two seconds or so. */
const BEFORE_MS = 500
const AFTER_MS = 5_000
const READERS = 2

const kept: MatchRequest = {
  pairs: [pair],
  filters: {},
  mode: 'all',
  clauses: [strictClause(['kept'])],
  titleBoost: 1,
  from: 0,
  size: 10
}

/** Searches and writes until told to stop, and writes down whatever went wrong. */
function traffic(index: StructuredIndex, name: string) {
  const faults: unknown[] = []
  const written: string[] = []
  let searches = 0
  const over = new AbortController()
  const search = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        const { total, hits } = await index.match(kept)
        if (total !== KEPT || hits.length !== kept.size) faults.push(`found ${total}`)
        searches++
      } catch (error) {
        faults.push(error)
      }
    }
  }
  const write = async (): Promise<void> => {
    for (let number = 0; !over.signal.aborted; number++) {
      const id = `${name}-${number}`
      try {
        await index.replaceDocument(
          entryOf(pair, id, { body: 'written', knowledgeType: ['alarm', 'setup'][number % 2]! })
        )
        written.push(id)
      } catch (error) {
        faults.push(error)
      }
    }
  }
  const running = [...Array.from({ length: READERS }, search), write()]
  return async () => {
    over.abort()
    await Promise.all(running)
    return { faults, written, searches }
  }
}

async function managerName(): Promise<string> {
  const [manager] = (await engine.ask('GET', '/_cat/cluster_manager?format=json')) as { readonly node: string }[]
  return manager!.node
}

async function livingNodes(): Promise<string[]> {
  const urls = engine.nodes().map(({ url }) => url)
  const answers = await Promise.allSettled(urls.map((url) => fetch(url)))
  return urls.filter((_, node) => answers[node]!.status === 'fulfilled')
}

describe.skipIf(engine.isMissing)(`a cluster of three nodes ${engine.note}`, () => {
  let index: StructuredIndex
  beforeAll(async () => {
    await engine.start()
    index = engine.open({ shards: 2, replicas: 1 })
    const entries = Array.from({ length: KEPT }, (_, number) =>
      entryOf(pair, `kept-${number}`, { body: 'kept', knowledgeType: ['alarm', 'setup', 'experience'][number % 3]! })
    )
    await index.rebuild(streamOf(entries))
    await engine.ask('GET', '/_cluster/health?wait_for_status=green&timeout=60s')
  }, START_TIMEOUT_MS)
  afterAll(async () => {
    await index.close()
    await engine.stop()
  })

  async function expectNoLossOf(name: string): Promise<void> {
    const { pid } = engine.nodes().find((node) => node.name === name)!
    const stop = traffic(index, name)
    await sleep(BEFORE_MS)
    process.kill(pid, 'SIGKILL')
    await sleep(AFTER_MS)
    const { faults, written, searches } = await stop()
    expect(faults).toEqual([])
    expect(searches > READERS && written.length > 1).toBe(true)
    const listed = new Set((await index.listDocuments(pair)).map(({ documentId }) => documentId))
    expect(written.filter((id) => !listed.has(id))).toEqual([])
    console.info(`killed ${name} under ${searches} searches and ${written.length} writes`)
  }

  test('loses a node, and then its manager: no search fails, no write is lost', async () => {
    const manager = await managerName()
    const other = engine.nodes().find(({ name }) => name !== manager)!
    await expectNoLossOf(other.name)
    await engine.startAgain(other.name)
    await expectNoLossOf(await managerName())
  })

  test('with half of its shards gone it fails every search, and never answers with the other half', async () => {
    const [survivor, victim] = await livingNodes()
    await engine.ask('PUT', '/kb_*/_settings', { index: { number_of_replicas: 0 } }, survivor)
    await engine.ask('GET', '/_cluster/health?wait_for_no_relocating_shards=true&timeout=30s', undefined, survivor)
    process.kill(engine.nodes().find(({ url }) => url === victim)!.pid, 'SIGKILL')
    const hasty = engine.open({ url: survivor!, timeoutMs: 3_000, retries: 1 })
    for (const search of [
      () => hasty.match(kept),
      () => hasty.facets({ ...kept, fields: ['project'], buckets: 20 }),
      () => hasty.listDocuments(pair)
    ]) {
      const error: unknown = await search().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(PortError)
      expect(error).toMatchObject({ failure: 'unavailable' })
    }
    // What the engine itself would have said, with status 200.
    const lenient = '/kb_alarm_v1,kb_setup_v1,kb_experience_v1/_search?allow_partial_search_results=true'
    const answer = await engine.ask('GET', lenient, undefined, survivor)
    expect(answer).toMatchObject({ timed_out: false, hits: { total: { value: expect.any(Number) } } })
    expect(answer).not.toMatchObject({ _shards: { failed: 0 } })
    await hasty.close()
  })
})
