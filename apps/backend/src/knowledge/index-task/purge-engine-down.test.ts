import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadablePair } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareFactsWithIndex, repairDifferences } from '../service/compare-facts-with-index.ts'
import { resumePurges } from '../service/resume-purges.ts'
import { bodiesIn, OutsideEngine } from '../test-material/search-engine.ts'
import { ServiceBench } from '../test-material/service-bench.ts'

let engine: OutsideEngine
let bench: ServiceBench
let of: Awaited<ReturnType<ServiceBench['owner']>>
let pair: ReadablePair

beforeEach(async () => {
  engine = new OutsideEngine()
  bench = await ServiceBench.open({ searchEngine: engine, maxAttempts: 1 })
  of = await bench.owner()
  pair = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
})
afterEach(() => bench.close())

const leaving = () => bench.store.documents.leavingIndex([of.baseId])
const differences = () => compareFactsWithIndex(bench.store, bench.index.writer)

/** What of it is readable on this machine. */
async function leftHere(id: string) {
  const text = await bench.store.documents.text(id, 1)
  return { files: existsSync(join(bench.folder, 'files', id)), text, entry: await bench.index.entry(pair, id) }
}
const nothing = { files: false, text: undefined, entry: undefined }

/** Deleted while the engine is down, for longer than the job is tried. */
async function stranded(): Promise<string> {
  const id = await bench.indexed(of, 'a.md', 'words')
  engine.isDown = true
  await bench.service.deleteDocument(of.caller, id)
  await bench.idle()
  return id
}

describe('a document that is deleted while the search engine is down for longer than a job is tried', () => {
  it('loses files and texts all the same, and counts as leaving', async () => {
    const id = await stranded()
    expect(await leftHere(id)).toEqual(nothing)
    expect(await leaving()).toEqual([id])
    expect(Object.keys(bodiesIn(engine, pair))).toEqual([id])
  })

  it('is told by the doctor, and leaves the engine behind a repair', async () => {
    const id = await stranded()
    const found = await differences()
    expect(found).toMatchObject([{ documentId: id, kind: 'deleted', repair: 'purge-again', fileName: 'a.md' }])
    engine.isDown = false
    expect(await repairDifferences(bench.parts, found)).toBe(1)
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
    expect(await leaving()).toEqual([])
    expect(await differences()).toEqual([])
  })

  it('leaves the engine behind the next start, which enqueues it once', async () => {
    await stranded()
    engine.isDown = false
    await bench.worker.stop()
    expect(await resumePurges(bench.parts)).toBe(1)
    expect(await differences()).toEqual([])
    expect(await resumePurges(bench.parts)).toBe(0)
    const next = await ServiceBench.open({ folder: bench.folder, searchEngine: engine })
    await next.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
    expect(await leaving()).toEqual([])
    await next.end()
  })

  it('is told, too, when it went with its base', async () => {
    const ids = [await bench.indexed(of, 'a.md', 'words a'), await bench.indexed(of, 'b.md', 'words b')]
    engine.isDown = true
    await bench.service.deleteBase(of.caller, of.baseId)
    await bench.idle()
    for (const id of ids) expect(await leftHere(id)).toEqual(nothing)
    const found = await differences()
    expect(new Set(found.map(({ documentId }) => documentId))).toEqual(new Set(ids))
    engine.isDown = false
    expect(await repairDifferences(bench.parts, found)).toBe(2)
    await bench.idle()
    expect(bodiesIn(engine, pair)).toEqual({})
    expect(await leaving()).toEqual([])
  })
})
