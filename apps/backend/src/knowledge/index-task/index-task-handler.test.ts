import { setTimeout as sleep } from 'node:timers/promises'
import type { PassageEmbedding } from '@oncall-agent/retrieval'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually, noForm, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'
import { needsShared, readShared, sharedIsAbsent } from '../test-material/shared-files.ts'

let bench: ServiceBench

beforeAll(async () => {
  bench = await ServiceBench.open()
})
afterEach(() => {
  bench.embedder.fault = undefined
})
afterAll(() => bench.close())

const gateway =
  '---\nproject: billing\nknowledge_type: runbook\nerror_codes: [E_OLD]\n---\n# 网关\n\ngateway E_CONN_RESET 502\n'

describe('an index task', () => {
  it('makes a document retrievable, and tells what was found out about it', async () => {
    const of = await bench.owner()
    const { document, task } = await bench.upload(of, ['网关.md', gateway], toBeIndexed)
    expect(task).toMatchObject({ status: 'pending', documentVersion: 1, fileName: '网关.md', attempt: 0 })
    expect(document).toMatchObject({ indexStatus: 'pending', indexedVersion: null })
    expect(await bench.ended(task!.id)).toMatchObject({
      status: 'succeeded',
      attempt: 1,
      reason: null,
      progress: { chunksEmbedded: 1, chunksTotal: 1 },
      startedAt: expect.any(Number)
    })
    expect(await bench.service.document(of.caller, document.id)).toMatchObject({
      title: '网关',
      indexStatus: 'indexed',
      indexedVersion: 1,
      chunkCount: 1,
      attributes: { knowledgeType: 'runbook', project: 'billing', equipment: null, errorCodes: ['E_OLD'] },
      metadata: { format: 'markdown', project: 'billing' }
    })
    expect(await bench.found(of.caller, of.baseId, 'gateway')).toHaveLength(1)
    const text = await bench.service.text(of.caller, document.id, undefined)
    const { items } = await bench.service.chunks(of.caller, document.id, { limit: 10 })
    expect(text.text.slice(items[0]!.start, items[0]!.end)).toContain('E_CONN_RESET')
    expect(items[0]!.metadata).toMatchObject({ project: 'billing', ownerUserId: of.caller.userId, documentVersion: 1 })
  })

  it('lets the form win over the front matter at each indexing, and finds codes when asked to', async () => {
    const of = await bench.owner()
    const form = { index: true, detectErrorCodes: true, title: 'Given', project: 'ledger', equipment: 'F5' }
    const { document, task } = await bench.upload(of, ['a.md', gateway], form)
    await bench.ended(task!.id)
    const again = await bench.service.createTask(of.caller, document.id)
    expect(await bench.ended(again.id)).toMatchObject({ status: 'succeeded' })
    expect(await bench.service.document(of.caller, document.id)).toMatchObject({
      title: 'Given',
      attributes: {
        knowledgeType: 'runbook',
        project: 'ledger',
        equipment: 'F5',
        errorCodes: ['E_OLD', 'E_CONN_RESET']
      }
    })
  })

  it('embeds nothing again when the index holds the version already, as after a crash before the task was ended', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', '# A\n\nonce only\n')
    const batches = bench.embedder.batches.length
    const again = await bench.service.createTask(of.caller, id)
    expect(await bench.ended(again.id)).toMatchObject({ status: 'succeeded', progress: { chunksEmbedded: 1 } })
    expect(bench.embedder.batches).toHaveLength(batches)
  })

  it('fails with a reason and leaves no document indexed without chunks', async () => {
    const of = await bench.owner()
    for (const content of [' \n\t\n', '# Only\n\n## Headings\n']) {
      const { document, task } = await bench.upload(of, ['a.md', content], toBeIndexed)
      const ended = await bench.ended(task!.id)
      expect(ended).toMatchObject({ status: 'failed', reason: { code: 'DOCUMENT_UNREADABLE' } })
      expect(ended.reason!.message).toMatch(/no text|blank/)
      const failed = await bench.service.document(of.caller, document.id)
      expect(failed).toMatchObject({ indexStatus: 'failed', indexedVersion: null, failure: ended.reason })
    }
  })

  it('is refused while another of the document has not ended, and tried again as a new record', async () => {
    const of = await bench.owner()
    bench.embedder.fault = () => Promise.reject(new Error('no model'))
    const { document, task } = await bench.upload(of, ['a.md', 'text of a document'], toBeIndexed)
    await expect(bench.service.createTask(of.caller, document.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { taskId: task!.id }
    })
    await bench.ended(task!.id)
    bench.embedder.fault = undefined
    const retry = await bench.service.retryTask(of.caller, task!.id)
    expect(retry).toMatchObject({ status: 'pending', retryOfTaskId: task!.id })
    await bench.ended(retry.id)
    await expect(bench.service.retryTask(of.caller, retry.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    const { items } = await bench.service.documentTasks(of.caller, document.id, { limit: 10 })
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [retry.id, 'succeeded'],
      [task!.id, 'failed']
    ])
    expect((await bench.service.document(of.caller, document.id)).failure).toBe(null)
  })

  it('tells how far it is while it embeds', async () => {
    const of = await bench.owner()
    const seen = Promise.withResolvers<void>()
    // Longer than the shortest time between two writes.
    bench.embedder.fault = async (_, batch) => (batch % 2 === 0 ? sleep(300) : seen.promise)
    const text = Array.from({ length: 40 }, (_, at) => `# Part ${at}\n\n${'word '.repeat(300)}`).join('\n\n')
    const { task } = await bench.upload(of, ['long.md', text], toBeIndexed)
    const running = eventually(async () => {
      const now = await bench.service.task(of.caller, task!.id)
      return now.progress.chunksTotal === null ? undefined : now
    })
    expect(await running).toMatchObject({ status: 'running', progress: { chunksTotal: expect.any(Number) } })
    seen.resolve()
    bench.embedder.fault = () => sleep(200)
    const partly = await eventually(async () => {
      const { progress } = await bench.service.task(of.caller, task!.id)
      return progress.chunksEmbedded > 0 ? progress : undefined
    })
    expect(partly.chunksEmbedded).toBeLessThan(partly.chunksTotal!)
    bench.embedder.fault = undefined
    const { progress } = await bench.ended(task!.id)
    expect(progress.chunksEmbedded).toBe(progress.chunksTotal)
  })
})

function bad(vector: readonly number[]) {
  return (answers: PassageEmbedding[]) => answers.map((answer) => ({ ...answer, vector: Float32Array.from(vector) }))
}

describe('answers of an embedding model that cannot be used', () => {
  const zeros = Array.from({ length: 16 }, () => 0)
  const faults: Readonly<Record<string, (answers: PassageEmbedding[]) => unknown>> = {
    'one too few': (answers) => answers.slice(1),
    'an empty one': bad([]),
    'one of another width': bad([0.1, 0.2, 0.3]),
    zeros: bad(zeros),
    'no numbers': bad(zeros.map(() => Number.NaN)),
    'a failure': () => Promise.reject(new Error('500'))
  }

  it.each(Object.entries(faults))('%s: nothing is published, and the version before stays', async (_, fault) => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'first words of it')
    bench.embedder.fault = fault
    const file = await bench.receive('a.md', 'second words of it')
    const { task } = await bench.service.replace(of.caller, id, noForm, file)
    const ended = await bench.ended(task!.id)
    expect(ended).toMatchObject({ status: 'failed', reason: { code: expect.stringMatching(/SYSTEM|INTERNAL/) } })
    expect(await bench.service.document(of.caller, id)).toMatchObject({
      indexStatus: 'failed',
      version: 2,
      indexedVersion: 1
    })
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual(['first words of it'])
    expect((await bench.service.text(of.caller, id, undefined)).text).toContain('first')
  })
})

describe('a new version', () => {
  it('takes the place of the old one whole: a reader never sees none, and never both', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'alpha shared')
    bench.embedder.fault = () => sleep(150)
    const file = await bench.receive('b.md', 'beta shared')
    const { document, task } = await bench.service.replace(of.caller, id, noForm, file)
    expect(document).toMatchObject({ id, version: 2, indexedVersion: 1, fileName: 'b.md', indexStatus: 'pending' })
    const seen = new Set<string>()
    while ((await bench.service.task(of.caller, task!.id)).finishedAt === null) {
      seen.add((await bench.found(of.caller, of.baseId, 'shared')).join('|'))
      await sleep(20)
    }
    seen.add((await bench.found(of.caller, of.baseId, 'shared')).join('|'))
    expect([...seen]).toEqual(['alpha shared', 'beta shared'])
    expect(await bench.service.document(of.caller, id)).toMatchObject({ version: 2, indexedVersion: 2 })
  })

  it('keeps the document’s place in the corpus', async () => {
    const of = await bench.owner()
    const first = await bench.indexed(of, 'a.md', 'same words one')
    const second = await bench.indexed(of, 'b.md', 'same words two')
    const file = await bench.receive('a.md', 'same words three')
    const { task } = await bench.service.replace(of.caller, first, noForm, file)
    await bench.ended(task!.id)
    const pair = { tenantId: of.caller.tenantId, knowledgeBaseId: of.baseId }
    const listed = await bench.index.writer.listDocuments(pair)
    expect(listed.map(({ documentId, version }) => [documentId, version])).toEqual([
      [first, 2],
      [second, 1]
    ])
  })
})

describe('cancelling', () => {
  it('ends a running task at once, keeps what was indexed, and lets another begin', async () => {
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'kept words')
    const begun = Promise.withResolvers<void>()
    bench.embedder.fault = async (_, __, signal) => {
      begun.resolve()
      await sleep(30_000, undefined, { signal })
    }
    const { task } = await bench.service.replace(of.caller, id, noForm, await bench.receive('a.md', 'new words'))
    await begun.promise
    const cancelled = await bench.service.cancelTask(of.caller, task!.id)
    expect(cancelled).toMatchObject({ status: 'cancelled', cancelRequested: true })
    expect(await bench.service.document(of.caller, id)).toMatchObject({ indexStatus: 'pending', indexedVersion: 1 })
    await expect(bench.service.cancelTask(of.caller, task!.id)).rejects.toMatchObject({ code: 'CONFLICT' })
    bench.embedder.fault = undefined
    const retry = await bench.service.retryTask(of.caller, task!.id)
    expect(await bench.ended(retry.id)).toMatchObject({ status: 'succeeded' })
    await bench.idle()
    expect((await bench.service.task(of.caller, task!.id)).status).toBe('cancelled')
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual(['new words'])
  })

  it('by a newer version: the task of the one before is cancelled and never published', async () => {
    const of = await bench.owner()
    const begun = Promise.withResolvers<void>()
    bench.embedder.fault = async (_, __, signal) => {
      begun.resolve()
      await sleep(30_000, undefined, { signal })
    }
    const first = await bench.upload(of, ['a.md', 'first words'], toBeIndexed)
    await begun.promise
    bench.embedder.fault = undefined
    const file = await bench.receive('a.md', 'second words')
    const second = await bench.service.replace(of.caller, first.document.id, noForm, file)
    expect(await bench.ended(second.task!.id)).toMatchObject({ status: 'succeeded', documentVersion: 2 })
    await bench.idle()
    expect(await bench.service.task(of.caller, first.task!.id)).toMatchObject({ status: 'cancelled' })
    expect(await bench.found(of.caller, of.baseId, 'words')).toEqual(['second words'])
  })
})

describe.skipIf(sharedIsAbsent)(`files that were encoded or made badly${needsShared}`, () => {
  it.each(['enc_gbk.md', 'enc_utf16le_bom.md', 'enc_utf8_bom.md'])('%s is indexed as what it says', async (name) => {
    const of = await bench.owner()
    const id = await bench.indexed(of, name, readShared(`cases/peers/${name}`))
    const { text } = await bench.service.text(of.caller, id, undefined)
    expect(text).not.toContain('\uFFFD')
    expect(text).toMatch(/\p{Script=Han}{2}/u)
  })

  it.each(['enc_invalid_utf8.md', 'enc_nul.md', 'pdf_truncated.pdf', 'pdf_scanned_only.pdf', 'heading_only.md'])(
    '%s fails with a reason that names it, and nothing of it is retrievable',
    async (name) => {
      const of = await bench.owner()
      const { document, task } = await bench.upload(of, [name, readShared(`cases/peers/${name}`)], toBeIndexed)
      expect(await bench.ended(task!.id)).toMatchObject({
        status: 'failed',
        reason: { code: 'DOCUMENT_UNREADABLE', message: expect.stringContaining(name) }
      })
      expect(await bench.service.chunks(of.caller, document.id, { limit: 1 })).toMatchObject({ total: 0 })
      expect(await bench.index.writer.listDocuments({ ...of.caller, knowledgeBaseId: of.baseId })).toEqual([])
    }
  )
})
