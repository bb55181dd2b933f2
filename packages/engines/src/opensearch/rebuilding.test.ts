import type { MatchRequest, PortError, StructuredEntry, StructuredIndex } from '@oncall-agent/retrieval'
import { entryOf } from '@oncall-agent/retrieval/conformance'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EngineConnection } from './connection/index.ts'
import { dialects } from './dialects/index.ts'
import { aliasOf } from './indices/index.ts'
import { createIndices } from './rebuilding/create-indices.ts'
import { deleteUnused } from './rebuilding/delete-unused.ts'
import type { RebuildParts } from './rebuilding/rebuild-parts.ts'
import { swapAliases } from './rebuilding/swap-aliases.ts'
import { gateBefore } from './test-support/engine-gate.ts'
import { WriteClock } from './writing/index.ts'
import { START_TIMEOUT_MS, engineForTests, fingerprint, streamOf } from './test-support/engine-for-tests.ts'

const engine = await engineForTests()
const pair = { tenantId: 't', knowledgeBaseId: 'k' }
const TYPES = ['alarm', 'setup', 'experience']
const everything: MatchRequest = {
  pairs: [pair],
  filters: {},
  mode: 'all',
  clauses: [],
  titleBoost: 1,
  from: 0,
  size: 100
}

/** One entry a type and number, each marked with the build that it is of. */
function build(mark: string, number = 10): StructuredEntry[] {
  return TYPES.flatMap((knowledgeType) =>
    Array.from({ length: number }, (_, id) => entryOf(pair, `${knowledgeType}-${id}`, { knowledgeType, body: mark }))
  )
}

async function marks(index: StructuredIndex): Promise<string[]> {
  const { total, hits } = await index.match(everything)
  return [String(total), ...new Set(hits.map(({ document }) => document.body))]
}

/** Every index of ours in the engine, with its aliases. */
async function family(): Promise<Record<string, { aliases: object }>> {
  return (await engine.ask('GET', '/kb_*/_alias?expand_wildcards=all')) as Record<string, { aliases: object }>
}

/** The index that a rebuild is filling for a type. */
async function newest(type: string): Promise<string> {
  const names = Object.entries(await family()).filter(([name]) => name.startsWith(`kb_${type}_v1_`))
  return names.find(([, { aliases }]) => Object.keys(aliases).join().endsWith('_filling'))![0]
}

async function* broken(): AsyncGenerator<StructuredEntry> {
  yield* build('half')
  throw new Error('the source broke')
}

async function* losingAnIndex(): AsyncGenerator<StructuredEntry> {
  yield* build('new')
  await engine.ask('DELETE', `/${await newest('setup')}`)
}

async function* losingOne(): AsyncGenerator<StructuredEntry> {
  // More than one batch, so that some are there already.
  yield* build('new', 200)
  const index = await newest('alarm')
  await engine.ask('POST', `/${index}/_refresh`)
  const found = (await engine.ask('GET', `/${index}/_search?size=1`)) as {
    readonly hits: { readonly hits: readonly Readonly<Record<string, string>>[] }
  }
  await engine.ask('DELETE', `/${index}/_doc/${found.hits.hits[0]!['_id']}`)
}

describe.skipIf(engine.isMissing)(`rebuilding in OpenSearch ${engine.note}`, () => {
  let index: StructuredIndex
  const told: PortError[] = []
  beforeAll(engine.start, START_TIMEOUT_MS)
  afterAll(engine.stop)
  beforeEach(async () => {
    told.length = 0
    index = engine.open({ onBackgroundFailure: (error) => told.push(error) })
    await index.rebuild(streamOf(build('old')))
  })
  afterEach(async () => {
    await index.close()
    if (told.length > 0) throw new Error('a failure in the background that no test asked for', { cause: told[0] })
  })

  test('searches under way see all of the old or all of the new, of every type, and none fails', async () => {
    const over = new AbortController()
    const seen: string[] = []
    const readers = Array.from({ length: 2 }, async () => {
      while (!over.signal.aborted) seen.push((await marks(index)).join())
    })
    for (const mark of ['first', 'second']) await index.rebuild(streamOf(build(mark)))
    over.abort()
    await Promise.all(readers)
    expect([...new Set(seen)].toSorted()).toEqual(['30,first', '30,old', '30,second'])
  })

  test('leaves one index a type behind, whether it succeeds or fails', async () => {
    await index.rebuild(streamOf(build('new')))
    await expect(index.rebuild(broken())).rejects.toThrow('the source broke')
    expect(await marks(index)).toEqual(['30', 'new'])
    const found = await family()
    expect(
      Object.values(found)
        .map(({ aliases }) => Object.keys(aliases).join())
        .toSorted()
    ).toEqual(TYPES.map((type) => `kb_${type}_v1`).toSorted())
  })

  test('an index that is deleted while it is filled fails the rebuild; the old stays, and nothing is made in its place', async () => {
    await expect(index.rebuild(losingAnIndex())).rejects.toMatchObject({ failure: 'unavailable' })
    expect(await marks(index)).toEqual(['30', 'old'])
    expect(Object.keys(await family())).toHaveLength(3)
  })

  test('documents that vanish from the new index are noticed before it is used', async () => {
    await expect(index.rebuild(losingOne())).rejects.toMatchObject({
      message: expect.stringContaining('does not hold the 200')
    })
    expect(await marks(index)).toEqual(['30', 'old'])
  })

  test('clears away what a killed rebuild left, and nothing that it did not make', async () => {
    const half = 'kb_alarm_v1_20260101000000_0123abcd'
    const dropped = 'kb_setup_v1_20260101000000_0123abcd'
    const others = ['kb_alarm_v1_mine', 'kb_alarm_v1_x_v1_20260101000000_0123abcd', 'kb_other_v1']
    await engine.ask('PUT', `/${half}`, { aliases: { [`${half}_filling`]: {} } })
    for (const name of [dropped, ...others]) await engine.ask('PUT', `/${name}`)
    await index.rebuild(streamOf(build('new')))
    const names = Object.keys(await family())
    expect(names).not.toContain(half)
    expect(names).not.toContain(dropped)
    expect(names).toEqual(expect.arrayContaining(others))
    await engine.ask('DELETE', `/${others.join()}`)
  })

  test('the last of one key wins, though it came with another type before', async () => {
    const entries = [...build('first'), ...build('second').map((entry) => ({ ...entry, knowledgeType: 'setup' }))]
    await index.rebuild(streamOf(entries))
    expect(await marks(index)).toEqual(['30', 'second'])
    const { total } = await index.match({ ...everything, filters: { knowledgeType: 'setup' } })
    expect(total).toBe(30)
  })

  test('an old index that cannot be deleted is told of and hinders nothing; a later rebuild deletes it', async () => {
    const old = 'kb_alarm_v1_20260101000000_0123abcd'
    await engine.ask('PUT', `/${old}`, { settings: { 'index.blocks.read_only': true } })
    await index.rebuild(streamOf(build('new')))
    expect(await marks(index)).toEqual(['30', 'new'])
    expect(Object.keys(await family())).toHaveLength(4)
    const closed = { failure: 'unavailable', message: expect.stringContaining('closed an index') }
    expect(told.splice(0)).toMatchObject([closed, closed])
    await engine.ask('PUT', `/${old}/_settings`, { index: { 'blocks.read_only': false } })
    await index.rebuild(streamOf(build('newer')))
    expect(Object.keys(await family())).toHaveLength(3)
  })

  test('a full disk of the engine is told as such', async () => {
    await engine.ask('PUT', '/kb_*/_settings', { index: { 'blocks.read_only_allow_delete': true } })
    const write = index.replaceDocument(entryOf(pair, 'd', { body: 'new' }))
    await expect(write).rejects.toMatchObject({ failure: 'disk-full', hint: expect.stringContaining('room') })
    expect(await marks(index)).toEqual(['30', 'old'])
    await engine.ask('PUT', '/kb_*/_settings', { index: { 'blocks.read_only_allow_delete': null } })
  })

  test('a swap that hung on the way and was given up changes nothing when it arrives late', async () => {
    const gate = await gateBefore(engine.url())
    const connection = new EngineConnection({ addresses: [gate.url], timeoutMs: 10_000, retries: 0 })
    const parts: RebuildParts = {
      connection,
      clock: new WriteClock(),
      shape: { dialect: dialects.opensearch, server: { major: 2 }, fingerprint, shards: 1, replicas: 0 },
      aliases: TYPES.map(aliasOf),
      check: () => {},
      onBackgroundFailure: (error) => told.push(error),
      patienceMs: 10_000
    }
    const fresh = await createIndices(parts)
    gate.holdNext('POST /_aliases')
    await expect(swapAliases({ ...parts, patienceMs: 300 }, fresh)).rejects.toMatchObject({ failure: 'unavailable' })
    // Between giving up and deleting nothing may come back to life: here only the first of the two has happened.
    const [first] = fresh
    const remove = { index: first!.index, alias: `${first!.index}_filling`, must_exist: true }
    expect(await engine.ask('POST', '/_aliases', { actions: [{ remove }] })).toMatchObject({ acknowledged: true })
    expect(await gate.deliver()).toBe(1)
    expect(await marks(index)).toEqual(['30', 'old'])
    await deleteUnused(parts)
    expect(await marks(index)).toEqual(['30', 'old'])
    expect(Object.keys(await family())).toHaveLength(3)
    // And one that came in time is not taken for unused.
    const next = await createIndices(parts)
    await swapAliases(parts, next)
    await deleteUnused(parts)
    expect(await marks(index)).toEqual(['0'])
    expect(Object.keys(await family()).toSorted()).toEqual(next.map(({ index: name }) => name).toSorted())
    await connection.close()
    await gate.close()
  })

  test('takes types of any name, and keeps them apart', async () => {
    const knowledgeTypes = ['Alarm', 'alarm', '故障 处理', 'a/b,*', '=']
    const other = engine.open({ knowledgeTypes })
    await other.rebuild(
      streamOf(knowledgeTypes.map((type) => entryOf(pair, type, { knowledgeType: type, body: type })))
    )
    for (const knowledgeType of knowledgeTypes) {
      const { hits } = await other.match({ ...everything, filters: { knowledgeType } })
      expect(hits.map(({ document }) => document.body)).toEqual([knowledgeType])
    }
    expect((await other.match({ ...everything, filters: { knowledgeType: 'unknown' } })).total).toBe(0)
    await other.close()
    await engine.ask('DELETE', '/kb_=*')
  })
})
