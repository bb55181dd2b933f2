import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../../oncall.ts'
import { addPerson, bootstrap, ended, file, keyOf, type Person } from '../../service/people.ts'
import { type Served, startServer } from '../../service/served.ts'
import { describeForFuzzer } from './describe-for-fuzzer.ts'

/** A server with an administrator, a member and something to read, change and delete of each of them. */
export interface FuzzedServer {
  readonly served: Served
  /** The data folder. */
  readonly data: string
  readonly admin: Owner
  readonly member: Owner
  /** Writes the description with this person's ids in it; returns the file's path. */
  describe(name: string, owner: Owner): Promise<string>
  close(): Promise<void>
}

export interface Owner {
  /** A header that shows who asks. */
  readonly credentials: { readonly name: string; readonly value: string }
  readonly ids: Ids
}

interface Ids {
  readonly base: string
  readonly document: string
  /** Only to be deleted, so that the others live on. */
  readonly spareBase: string
  readonly spareDocument: string
  readonly task: string
  readonly otherUser: string
}

export async function startFuzzedServer(): Promise<FuzzedServer> {
  const folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  const served = await startServer(data, { KB_OBSERVABILITY__LOG_LEVEL: 'error' })
  const { address } = served
  const ana = await bootstrap(address)
  const ben = await addPerson(address, ana, 'ben')
  const benKey = await ben.api.createApiKey({ body: { name: 'fuzz', scopes: ['retrieve', 'ingest'] } })
  return {
    served,
    data,
    // A session may do all that a key may, and what only a person may.
    admin: { credentials: { name: 'cookie', value: ana.cookie }, ids: await makeIds(address, ana, ben) },
    member: {
      credentials: { name: 'authorization', value: `Bearer ${benKey.key}` },
      ids: await makeIds(address, ben, ana)
    },
    describe: async (name, owner) => {
      const response = await fetch(`${address}/openapi.json`)
      const description = describeForFuzzer((await response.json()) as never, knownTo(owner.ids))
      const path = join(folder.path, `${name}.json`)
      await writeFile(path, JSON.stringify(description))
      return path
    },
    close: async () => {
      await served.stop()
      await folder.remove()
    }
  }
}

async function makeIds(address: string, person: Person, other: Person): Promise<Ids> {
  const api = await keyOf(address, person, 'retrieve', 'ingest')
  const [base, spareBase] = await Promise.all(
    ['runbooks', 'to delete'].map((name) => api.createKnowledgeBase({ body: { name } }))
  )
  const upload = (name: string) =>
    api.uploadDocuments({
      params: { id: base!.id },
      form: { index: true },
      files: [file(name, `# ${name}\n\nRestart etcd 重启 etcd after E-1042.\n`)]
    })
  const [kept, spare] = [await upload('kept.md'), await upload('spare.md')]
  await ended(api, kept.task!.id)
  await ended(api, spare.task!.id)
  return {
    base: base!.id,
    spareBase: spareBase!.id,
    document: kept.document.id,
    spareDocument: spare.document.id,
    task: kept.task!.id,
    otherUser: other.id
  }
}

function knownTo(ids: Ids) {
  return (path: string, operationId: string): Readonly<Record<string, string>> => {
    const deletes = operationId.startsWith('delete')
    if (path.includes('/knowledge-bases/')) return { id: deletes ? ids.spareBase : ids.base, userId: ids.otherUser }
    if (path.includes('/documents/')) return { id: deletes ? ids.spareDocument : ids.document }
    if (path.includes('/index-tasks/')) return { id: ids.task }
    return {}
  }
}

/** Alive, ready, nothing logged as a fault of ours, and no half-received upload left. */
export async function expectWhole({ served, data }: FuzzedServer): Promise<void> {
  expect((await fetch(`${served.address}/health`)).status).toBe(200)
  expect((await fetch(`${served.address}/ready`)).status).toBe(200)
  expect(served.log()).toBe('')
  // The folder is made with the first upload.
  const incoming = join(data, 'files/incoming')
  expect(existsSync(incoming) ? await readdir(incoming) : []).toEqual([])
}
