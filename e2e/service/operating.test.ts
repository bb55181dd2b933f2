import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ApiClient } from '@oncall-agent/api-contracts'
import { type Finished, oncall, repository, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { all, bootstrap, ended, file, keyOf, signIn } from './people.ts'
import { type Served, startServer, startWorker } from './served.ts'

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let running: Served[]

beforeAll(async () => {
  stub = await startModelStub()
})
afterAll(() => stub.close())
beforeEach(async () => {
  folder = await temporaryFolder()
  running = []
})
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()))
  await folder.remove()
})

const data = (): string => join(folder.path, 'data')

async function serve(environment: Readonly<Record<string, string>> = {}, directory = data()): Promise<Served> {
  const server = await startServer(directory, { ...stub.environment, ...environment })
  running.push(server)
  return server
}

async function stop(server: Served): Promise<void> {
  running.splice(running.indexOf(server), 1)
  expect(await server.stop(), server.log()).toBe(0)
}

/** Documents of ten chunks, each with a word of its own. */
async function upload(api: ApiClient, base: string, count: number): Promise<readonly string[]> {
  const tasks: string[] = []
  for (let at = 0; at < count; at++) {
    const sections = Array.from({ length: 10 }, (_, part) => `## 步骤 ${part}\n\nE_DOC_${at} 网关 ${part}`)
    const { task } = await api.uploadDocuments({
      params: { id: base },
      form: { index: true },
      files: [file(`doc-${at}.md`, `# 文档 ${at}\n\n${sections.join('\n\n')}`)]
    })
    tasks.push(task!.id)
  }
  return tasks
}

/** What an answer rests on; its times and its run's id are new each time. */
async function answers(api: ApiClient, count: number): Promise<readonly unknown[]> {
  const asked = Array.from({ length: count }, (_, at) => api.retrieve({ body: { query: `E_DOC_${at} 网关` } }))
  return (await Promise.all(asked)).map(({ results, citations }) => ({ results, citations }))
}

describe('a backup', () => {
  it('that was written while documents came in is restored elsewhere: whole, and with the same answers', async () => {
    // A job that ran at that moment is taken up again once its lease has run out.
    const server = await serve({ KB_JOBS__LEASE_MS: '1000' })
    const ana = await bootstrap(server.address)
    const base = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
    const before = await upload(ana.api, base.id, 10)
    for (const task of before) await ended(ana.api, task)
    const expected = await answers(ana.api, 10)

    const others = await ana.api.createKnowledgeBase({ body: { name: 'others' } })
    const uploading = upload(ana.api, others.id, 30)
    const backup = join(folder.path, 'backup.tar')
    const written = await oncall(['backup', backup, '--data', data(), '--json'], stub.environment)
    expect(written.exit, written.stderr + written.stdout).toBe(0)
    for (const task of await uploading) await ended(ana.api, task)
    await stop(server)

    const elsewhere = join(folder.path, 'elsewhere')
    const restored = await oncall(['restore', backup, '--data', elsewhere, '--json'], stub.environment)
    expect(restored.exit, restored.stderr + restored.stdout).toBe(0)
    const again = await serve({ KB_JOBS__LEASE_MS: '1000' }, elsewhere)
    const { api } = await signIn(again.address, 'ana')
    // What was under way at that moment goes on by itself.
    const tasks = await all((query) => api.knowledgeBaseTasks({ params: { id: others.id }, query }))
    for (const { id } of tasks) expect(await ended(api, id)).toMatchObject({ status: 'succeeded' })
    await api.deleteKnowledgeBase({ params: { id: others.id } })
    expect(await answers(api, 10)).toEqual(expected)
    while ((await api.systemSummary()).jobs.waiting + (await api.systemSummary()).jobs.running > 0) await delay(50)
    await stop(again)
    const doctor = await oncall(['doctor', '--data', elsewhere, '--json'], stub.environment)
    expect([doctor.exit, doctor.stdout]).toEqual([0, expect.stringContaining('"agree"')])
    const twice = await oncall(['restore', backup, '--data', elsewhere, '--json'], stub.environment)
    expect(twice.exit).toBe(1)
  })
})

describe('accounts at the command line', () => {
  it('sign in over HTTP, also when they were made while the server runs, and no more once disabled', async () => {
    const first = await typed(['user', 'add', 'ana', '--data', data(), '--json'], 'a password of ana\n')
    expect([first.exit, JSON.parse(first.stdout)]).toMatchObject([0, [{ username: 'ana', role: 'admin' }]])
    expect(first.stdout + first.stderr).not.toContain('a password')
    const server = await serve()
    expect((await (await signIn(server.address, 'ana', 'a password of ana')).api.me()).user?.role).toBe('admin')
    const second = await typed(['user', 'add', 'bob', '--data', data(), '--json'], 'a password of bob\n')
    expect(JSON.parse(second.stdout)).toMatchObject([{ username: 'bob', role: 'member' }])
    const bob = await signIn(server.address, 'bob', 'a password of bob')
    expect((await bob.api.knowledgeBases()).items).toEqual([])

    expect((await oncall(['user', 'disable', 'bob', '--data', data()])).exit).toBe(0)
    await expect(bob.api.knowledgeBases()).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    await expect(signIn(server.address, 'bob', 'a password of bob')).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    await expect(bootstrap(server.address, 'eve')).rejects.toMatchObject({ code: 'CONFLICT' })
    const short = await typed(['user', 'add', 'eve', '--data', data(), '--json'], 'short\n')
    expect([short.exit, short.stdout]).toEqual([1, expect.stringContaining('VALIDATION_FAILED')])
  })
})

describe('a worker beside a server that works on no jobs', () => {
  it('indexes what the server takes, also when another one is killed, and the server finds it at once', async () => {
    const server = await serve({ KB_JOBS__WORKERS: '0' })
    const ana = await bootstrap(server.address)
    const api = await keyOf(server.address, ana, 'retrieve', 'ingest')
    const base = await api.createKnowledgeBase({ body: { name: 'runbooks' } })
    const [task] = await upload(api, base.id, 1)
    expect((await api.indexTask({ params: { id: task! } })).status).toBe('pending')

    const environment = { ...stub.environment, KB_JOBS__LEASE_MS: '1000', KB_JOBS__WORKERS: '2' }
    const killed = await startWorker(data(), environment)
    expect(await ended(api, task!)).toMatchObject({ status: 'succeeded' })
    expect((await api.retrieve({ body: { query: 'E_DOC_0' } })).results).toHaveLength(5)

    stub.misbehave({ waitMs: 200 })
    const others = await api.createKnowledgeBase({ body: { name: 'others' } })
    const tasks = await upload(api, others.id, 6)
    while (
      (await Promise.all(tasks.map((id) => api.indexTask({ params: { id } })))).every(
        ({ status }) => status === 'pending'
      )
    );
    await killed.kill()
    stub.misbehave(undefined)
    running.push(await startWorker(data(), environment))
    for (const id of tasks) expect(await ended(api, id)).toMatchObject({ status: 'succeeded' })
    expect((await api.knowledgeBase({ params: { id: others.id } })).documents).toMatchObject({ total: 6, indexed: 6 })
  })
})

describe('two servers that open a fresh data folder at once', () => {
  it('both start, know one first account, and index each document once', async () => {
    const [one, other] = await Promise.all([serve(), serve()])
    const firsts = await Promise.allSettled([bootstrap(one!.address, 'ana'), bootstrap(other!.address, 'eve')])
    expect(firsts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [person] = firsts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const clients = await Promise.all(
      [one!, other!].map(async ({ address }) => (await signIn(address, person!.username)).api)
    )
    const base = await clients[0]!.createKnowledgeBase({ body: { name: 'runbooks' } })
    const uploads = Array.from({ length: 20 }, (_, at) =>
      clients[at % 2]!.uploadDocuments({
        params: { id: base.id },
        form: { index: true },
        files: [file(`doc-${at}.md`, `# 文档 ${at}\n\nE_BOTH_${at}`)]
      })
    )
    const searches = Array.from({ length: 20 }, (_, at) =>
      clients[at % 2]!.retrieve({ body: { query: `E_BOTH_${at}` } })
    )
    const tasks = (await Promise.all(uploads)).map(({ task }) => task!.id)
    await Promise.all(searches)
    for (const id of tasks) expect(await ended(clients[0]!, id)).toMatchObject({ status: 'succeeded', attempt: 1 })
    for (const client of clients) {
      const { results } = await client.retrieve({ body: { query: 'E_BOTH_7', topK: 1 } })
      expect(results).toMatchObject([{ source: 'doc-7.md' }])
    }
    for (const each of [one!, other!]) expect(each.log()).not.toMatch(/"level":"(error|fatal)"/)
  })
})

describe('another embedding model than the index was made with', () => {
  it.each([
    ['of another width', { dimension: 3, model: 'narrow' }],
    ['of the same width', { dimension: 8, model: 'other' }]
  ])('%s is told by name, with the one of the index, and changes nothing', async (_what, drifted) => {
    const [first, second] = await Promise.all([
      startModelStub({ dimension: 8, model: 'wide' }),
      startModelStub(drifted)
    ])
    try {
      const server = await serve(first.environment)
      const ana = await bootstrap(server.address)
      const base = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
      const [task] = await upload(ana.api, base.id, 1)
      await ended(ana.api, task!)
      const expected = await answers(ana.api, 1)
      await stop(server)

      const named = [/wide/, new RegExp(drifted.model)]
      const started = serve(second.environment)
      await expect(started).rejects.toThrow(/INDEX_MODEL_MISMATCH/)
      for (const name of named) await expect(started).rejects.toThrow(name)
      const command = await oncall(['retrieve', 'E_DOC_0', '--data', data(), '--json'], {
        ...stub.environment,
        ...second.environment
      })
      expect(command).toMatchObject({ exit: 1, stdout: expect.stringContaining('INDEX_MODEL_MISMATCH') })
      for (const name of named) expect(command.stdout).toMatch(name)

      const back = await serve(first.environment)
      expect(await answers((await signIn(back.address, 'ana')).api, 1)).toEqual(expected)
    } finally {
      await Promise.all([first.close(), second.close()])
    }
  })
})

/** Runs a command with something on its standard input. */
async function typed(args: readonly string[], input: string): Promise<Finished> {
  const child = spawn(join(repository, 'bin/oncall'), [...args])
  child.stdin.end(input)
  const [stdout, stderr, exit] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  ])
  return { exit, stdout, stderr }
}
