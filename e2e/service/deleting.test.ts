import type { ApiClient } from '@oncall-agent/api-contracts'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from './model-stub.ts'
import { all, bootstrap, ended, file, keyOf, signIn } from './people.ts'
import { type Served, startServer } from './served.ts'

let stub: ModelStub
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let environment: Record<string, string>
let server: Served
let api: ApiClient
let base: string

beforeAll(async () => {
  ;[stub, folder] = await Promise.all([startModelStub(), temporaryFolder()])
  environment = { ...stub.environment, KB_JOBS__LEASE_MS: '1000', KB_JOBS__MAX_ATTEMPTS: '2' }
  server = await startServer(folder.path, environment)
  const ana = await bootstrap(server.address)
  api = await keyOf(server.address, ana, 'retrieve', 'ingest')
  base = (await api.createKnowledgeBase({ body: { name: 'runbooks' } })).id
})
afterAll(async () => {
  await server.stop()
  await Promise.all([stub.close(), folder.remove()])
})

async function upload(name: string, content: string): Promise<{ readonly id: string; readonly task: string }> {
  const { document, task } = await api.uploadDocuments({
    params: { id: base },
    form: { index: true },
    files: [file(name, content)]
  })
  return { id: document.id, task: task!.id }
}

/** Documents that answer a question. */
async function found(query: string): Promise<readonly string[]> {
  const { results } = await api.retrieve({ body: { query } })
  return [...new Set(results.map(({ documentId }) => documentId))]
}

async function restart(): Promise<void> {
  server = await startServer(folder.path, environment)
  const ana = await signIn(server.address, 'ana')
  api = await keyOf(server.address, ana, 'retrieve', 'ingest')
}

const sections = (count: number, words: string): string =>
  Array.from({ length: count }, (_, at) => `## 步骤 ${at}\n\n${words} ${at}`).join('\n\n')

describe('a document that was deleted', () => {
  it('answers nothing at once, nor after a restart', async () => {
    const kept = await upload('kept.md', '# Kept\n\nE_SAME stays here')
    const gone = await upload('gone.md', '# Gone\n\nE_SAME goes away')
    await Promise.all([kept, gone].map(({ task }) => ended(api, task)))
    expect((await found('E_SAME')).toSorted()).toEqual([kept.id, gone.id].toSorted())
    await api.deleteDocument({ params: { id: gone.id } })
    expect(await found('E_SAME')).toEqual([kept.id])
    await server.stop()
    await restart()
    expect(await found('E_SAME')).toEqual([kept.id])
  })

  it('while it is being indexed is never found, and its task is cancelled', async () => {
    stub.misbehave({ holding: 'E_SLOW', waitMs: 400 })
    const { id, task } = await upload('slow.md', `# Slow\n\n${sections(70, 'E_SLOW')}`)
    while ((await api.indexTask({ params: { id: task } })).status === 'pending') await delay(20)
    await api.deleteDocument({ params: { id } })
    const until = Date.now() + 2_500
    while (Date.now() < until) {
      expect(await found('E_SLOW')).not.toContain(id)
      await delay(100)
    }
    stub.misbehave(undefined)
    await expect(api.document({ params: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await found('E_SLOW')).not.toContain(id)
  })

  it('is deleted whole or not at all when the server is killed meanwhile', async () => {
    const documents = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        upload(`victim-${at}.md`, `# Victim ${at}\n\n${sections(6, `E_VICTIM_${at}`)}`)
      )
    )
    for (const { task } of documents) await ended(api, task)
    const answered: string[] = []
    const asked = documents.map(async ({ id }, at) => {
      await delay(at * 8)
      const answer = api.deleteDocument({ params: { id } })
      await answer.then(() => answered.push(id)).catch(() => undefined)
    })
    while (answered.length < 3) await delay(1)
    await server.kill()
    await Promise.all(asked)
    expect(answered.length).toBeLessThan(documents.length)

    await restart()
    const states = await Promise.all(
      documents.map(async ({ id }, at) => {
        const chunks = await all((query) => api.documentChunks({ params: { id }, query })).catch(() => [])
        const isFound = (await found(`E_VICTIM_${at}`)).includes(id)
        return { isDeleted: answered.includes(id), isFound, chunks: chunks.length }
      })
    )
    const whole = { isFound: true, chunks: 6 }
    const gone = { isFound: false, chunks: 0 }
    for (const { isDeleted, ...state } of states) expect(isDeleted ? [gone] : [gone, whole]).toContainEqual(state)
    expect(states.filter(({ isFound }) => isFound)).not.toEqual([])
    await server.stop()
    const doctor = await oncall(['doctor', '--data', folder.path, '--json'], environment)
    expect([doctor.exit, doctor.stdout]).toEqual([0, expect.stringContaining('"agree"')])
    await restart()
  })
})

describe('a new version that cannot be indexed', () => {
  it('leaves the one before it, whole, at every moment, and takes its place once it can be', async () => {
    const { id, task } = await upload('versions.md', `# Versions\n\n${sections(4, 'E_VERSION is one')}`)
    await ended(api, task)
    stub.misbehave({ holding: 'is two', status: 500 })
    const seen = watch(id)
    const replaced = await api.replaceDocument({
      params: { id },
      form: { index: true },
      files: [file('versions.md', `# Versions\n\n${sections(4, 'E_VERSION is two')}`)]
    })
    const failed = await ended(api, replaced.task!.id)
    expect(failed).toMatchObject({ status: 'failed', attempt: 2, reason: { code: 'SYSTEM_UNAVAILABLE' } })
    expect(await api.document({ params: { id } })).toMatchObject({
      version: 2,
      indexedVersion: 1,
      indexStatus: 'failed',
      failure: { code: 'SYSTEM_UNAVAILABLE' }
    })
    stub.misbehave(undefined)
    const again = await api.retryIndexTask({ params: { id: failed.id } })
    expect(again).toMatchObject({ retryOfTaskId: failed.id, status: 'pending' })
    expect(await ended(api, again.id)).toMatchObject({ status: 'succeeded', documentVersion: 2 })

    const versions = await seen.stop()
    expect(versions.length).toBeGreaterThan(20)
    // Four hits of the first version, then four of the second: never fewer, never of both.
    expect([...new Set(versions)]).toEqual(['1111', '2222'])
    expect(versions.at(-1)).toBe('2222')
    expect((await api.indexTask({ params: { id: failed.id } })).status).toBe('failed')
  })
})

/** Asks every 20 ms; of each answer the version of every hit. */
function watch(id: string) {
  const stopping = new AbortController()
  const seen: string[] = []
  const look = async (): Promise<void> => {
    const { results } = await api.retrieve({ body: { query: 'E_VERSION', filters: { documentIds: [id] } } })
    seen.push(results.map(({ content }) => (content.includes('is one') ? 1 : 2)).join(''))
  }
  const asking = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await delay(20)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await asking
      await look()
      return seen
    }
  }
}
