import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { oncall, temporaryFolder } from '../oncall.ts'
import { type ModelStub, startModelStub } from '../service/model-stub.ts'
import { bootstrap, ended, file } from '../service/people.ts'
import { startServer, startWorker } from '../service/served.ts'

const DOCUMENTS = 25

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let stub: ModelStub
const fields = { differences: expect.any(Array), checks: expect.any(Array) }

interface Report {
  readonly healthy: boolean
  readonly checks: readonly {
    readonly name: string
    readonly ok: boolean
    readonly found: string
    readonly hint: string
  }[]
  readonly differences: readonly { readonly kind: string; readonly fileName: string; readonly repair: string }[]
}

beforeEach(async () => {
  ;[folder, stub] = await Promise.all([temporaryFolder(), startModelStub()])
  const server = await startServer(folder.path, stub.environment)
  const { api } = await bootstrap(server.address)
  const { id } = await api.createKnowledgeBase({ body: { name: 'runbooks' } })
  const names = Array.from({ length: DOCUMENTS }, (_, at) => `手册-${String(at).padStart(2, '0')}.md`)
  const tasks = await Promise.all(
    names.map(async (name) => {
      const files = [file(name, `${name} 重启网关`)]
      return (await api.uploadDocuments({ params: { id }, form: { index: true }, files })).task!.id
    })
  )
  for (const task of tasks) await ended(api, task)
  if ((await server.stop()) !== 0) throw new Error(server.log())
})
afterEach(async () => {
  await Promise.all([folder.remove(), stub.close()])
})

const doctor = (...options: readonly string[]) =>
  oncall(['doctor', '--data', folder.path, ...options], stub.environment)

async function report(...options: readonly string[]): Promise<Report> {
  const { stdout } = await doctor('--json', ...options)
  return JSON.parse(stdout) as Report
}

/** Repairs, lets a worker do what that enqueued, and looks again. */
async function repaired(): Promise<Report> {
  const told = await doctor('--repair')
  expect(told.exit, told.stdout + told.stderr).toBe(0)
  const worker = await startWorker(folder.path, stub.environment)
  const until = Date.now() + 60_000
  let now = await report()
  while (!now.healthy && Date.now() < until) now = await report()
  expect(await worker.stop(), worker.log()).toBe(0)
  return report()
}

describe('oncall doctor', () => {
  it('finds nothing wrong with a folder that is whole, and tries remote models, too', async () => {
    expect(await report('--models')).toMatchObject({ ...fields, healthy: true, differences: [] })
    stub.misbehave({ status: 401 })
    const told = await doctor('--models')
    expect(told.exit).toBe(1)
    expect(told.stderr).toContain('embedding.apiKey')
    expect(told.stderr).not.toContain('Check the repository out again')
  })

  it('whose index is gone lists every difference below the table, and repairs them', async () => {
    for (const name of ['index.db', 'index.db-wal', 'index.db-shm']) await rm(join(folder.path, name), { force: true })
    const told = await doctor()
    expect(told.exit).toBe(1)
    const lines = told.stdout.split('\n')
    expect(lines.find((line) => line.includes('facts and index'))).toMatch(/25 differences$/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(160)
    expect(lines.filter((line) => line.includes('手册-'))).toHaveLength(20)
    expect(told.stdout).toContain('… and 5 more')
    const { differences } = await report()
    expect(differences.map(({ kind, repair }) => `${kind} ${repair}`)).toEqual(
      Array.from({ length: DOCUMENTS }, () => 'missing index-again')
    )
    expect(await repaired()).toMatchObject({ healthy: true, differences: [] })
  })

  it('names a document whose rows are gone and one that nobody knows, and repairs both', async () => {
    const index = new DatabaseSync(join(folder.path, 'index.db'))
    const first = 'SELECT document_id FROM document WHERE id = (SELECT min(id) FROM document)'
    for (const table of ['entry', 'document']) {
      index.exec(`UPDATE ${table} SET document_id = 'nobody-knows-it' WHERE document_id = (${first})`)
    }
    index.close()
    const { differences, healthy } = await report()
    expect(healthy).toBe(false)
    expect(differences.map(({ kind }) => kind).toSorted()).toEqual(['extra', 'missing'])
    expect(await repaired()).toMatchObject({ healthy: true, differences: [] })
  })
})
