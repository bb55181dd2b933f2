import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { oncall, startOncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from '../service/model-stub.ts'
import { bootstrap, ended, file } from '../service/people.ts'
import { startServer } from '../service/served.ts'

const DOCUMENTS = 12
const KILLS = 8

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let first: ModelStub
let second: ModelStub
let data: string

beforeEach(async () => {
  ;[folder, first, second] = await Promise.all([
    temporaryFolder(),
    startModelStub({ dimension: 64, model: 'first-model' }),
    startModelStub({ dimension: 32, model: 'second-model' })
  ])
  data = join(folder.path, 'data')
})
afterEach(async () => {
  await Promise.all([folder.remove(), first.close(), second.close()])
})

/** A folder that is indexed and uploads, all with the first model. */
async function fill(): Promise<void> {
  for (let at = 0; at < DOCUMENTS; at++) {
    await writeFile(join(folder.path, `d${at}.md`), `# 手册 ${at}\n\n网关 ${at} 的 E_CONN_RESET 重启就恢复。\n`)
  }
  const indexed = await oncall(['index', folder.path, '--data', data], first.environment)
  expect(indexed.exit, indexed.stderr).toBe(0)
}

const retrieve = (environment: Readonly<Record<string, string>>) =>
  oncall(['retrieve', 'E_CONN_RESET', '--data', data, '--json'], environment)

describe('oncall reindex', () => {
  it('is what a changed model asks for: at the start, at the question; and then both find all again', async () => {
    await fill()
    const server = await startServer(data, first.environment)
    const ana = await bootstrap(server.address)
    const { id: baseId } = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
    const files = [file('a.md', 'E_DISK_FULL 清理磁盘')]
    const { task } = await ana.api.uploadDocuments({ params: { id: baseId }, form: { index: true }, files })
    await ended(ana.api, task!.id)

    const refused = await retrieve(second.environment)
    expect([refused.exit, refused.stdout]).toEqual([1, expect.stringContaining('INDEX_MODEL_MISMATCH')])
    for (const named of ['first-model', 'second-model', 'oncall reindex']) expect(refused.stdout).toContain(named)
    await expect(startServer(data, second.environment)).rejects.toThrow(/second-model[^]*oncall reindex/)

    // The server of the first model runs, and answers until the new index is in place.
    const [before] = (await ana.api.retrieve({ body: { query: 'E_DISK_FULL' } })).results
    expect(before).toMatchObject({ content: 'E_DISK_FULL 清理磁盘' })
    await rm(join(folder.path, 'd0.md'))
    const rebuilt = await oncall(['reindex', '--data', data, '--json'], second.environment)
    expect(rebuilt.exit, rebuilt.stderr).toBe(0)
    expect(JSON.parse(rebuilt.stdout)).toMatchObject({ documents: DOCUMENTS + 1, fromOldIndex: 1, failed: [] })
    await expect(ana.api.retrieve({ body: { query: 'E_DISK_FULL' } })).rejects.toMatchObject({
      code: 'INDEX_MODEL_MISMATCH'
    })
    expect(await server.stop(), server.log()).toBe(0)

    const anew = await startServer(data, second.environment)
    const headers = { cookie: ana.cookie, origin: anew.address, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: 'E_DISK_FULL' })
    const answer = await fetch(`${anew.address}/api/v1/retrieval`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ results: { 0: { content: 'E_DISK_FULL 清理磁盘' } } })
    expect(await anew.stop(), anew.log()).toBe(0)
    const doctor = await oncall(['doctor', '--data', data, '--json'], second.environment)
    expect([doctor.exit, doctor.stdout]).toEqual([0, expect.stringContaining('"agree"')])
  })

  it(`that is killed ${KILLS} times at random leaves the old index whole, and comes to its end after all`, async () => {
    await fill()
    second.misbehave({ waitMs: 60 })
    Object.assign(process.env, { ...second.environment, KB_EMBEDDING__BATCH_SIZE: '2' })
    try {
      for (let kill = 0; kill < KILLS; kill++) {
        const { child, finished } = startOncall(['reindex', '--data', data])
        await delay(400 + Math.random() * 1_200)
        child.kill('SIGKILL')
        if ((await finished).exit === 0) break
        const old = await retrieve({ ...first.environment, KB_EMBEDDING__BATCH_SIZE: '32' })
        // Refused when it was killed right after the new one was put in place.
        const found = old.exit === 0 ? (JSON.parse(old.stdout) as { results: unknown[] }).results.length : old.stdout
        expect([5, expect.stringContaining('INDEX_MODEL_MISMATCH')]).toContainEqual(found)
        if (old.exit !== 0) break
      }
    } finally {
      for (const name of [...Object.keys(second.environment), 'KB_EMBEDDING__BATCH_SIZE']) delete process.env[name]
    }
    second.misbehave(undefined)
    const last = await oncall(['reindex', '--data', data, '--json'], second.environment)
    expect(last.exit, last.stdout + last.stderr).toBe(0)
    expect(JSON.parse(last.stdout)).toMatchObject({ documents: DOCUMENTS, failed: [] })
    expect((await retrieve(second.environment)).exit).toBe(0)
    expect((await oncall(['doctor', '--data', data], second.environment)).exit).toBe(0)
  })
})
