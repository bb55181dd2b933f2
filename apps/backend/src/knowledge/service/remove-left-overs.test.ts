import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceBench } from '../test-material/service-bench.ts'
import { removeLeftOvers } from './remove-left-overs.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open({ working: false })
})
afterAll(() => bench.close())

const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60

describe('what processes that died left', () => {
  it('is nothing in a fresh folder', async () => {
    expect(await removeLeftOvers(bench.parts)).toBe(0)
  })

  it('is removed when it is older than a day and belongs to no document', async () => {
    const of = await bench.owner()
    const { document } = await bench.upload(of, ['a.md', 'kept'])
    const files = join(bench.folder, 'files')
    const old = await bench.receive('old.md', 'old')
    const recent = await bench.receive('recent.md', 'recent')
    mkdirSync(join(files, 'nobody'))
    writeFileSync(join(files, 'nobody', '1'), 'never committed')
    mkdirSync(join(files, 'just-now'))
    for (const path of [old.path, join(files, 'nobody'), join(files, document.id), join(files, 'incoming')]) {
      utimesSync(path, twoDaysAgo, twoDaysAgo)
    }
    expect(await removeLeftOvers(bench.parts)).toBe(2)
    expect(existsSync(old.path)).toBe(false)
    expect(existsSync(join(files, 'nobody'))).toBe(false)
    expect(existsSync(recent.path)).toBe(true)
    expect(existsSync(join(files, 'just-now'))).toBe(true)
    expect(existsSync((await bench.service.content(of.caller, document.id)).path)).toBe(true)
  })
})
