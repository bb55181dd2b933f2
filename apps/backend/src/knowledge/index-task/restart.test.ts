import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { noForm, pieces, ServiceBench, toBeIndexed } from '../test-material/service-bench.ts'
import { writeIncoming } from '../document-files.ts'

describe('an index task', () => {
  it('that a process was stopped at is taken up by the next, and the version before is served meanwhile', async () => {
    const first = await ServiceBench.open()
    const of = await first.owner()
    const id = await first.indexed(of, 'a.md', 'old words')
    const begun = Promise.withResolvers<void>()
    first.embedder.fault = async (_, __, signal) => {
      begun.resolve()
      await sleep(30_000, undefined, { signal })
    }
    const { task } = await first.service.replace(of.caller, id, noForm, await first.receive('a.md', 'new words'))
    await begun.promise
    await first.end()

    const second = await ServiceBench.open({ folder: first.folder, working: false })
    expect(await second.service.task(of.caller, task!.id)).toMatchObject({ status: 'running' })
    expect(await second.found(of.caller, of.baseId, 'words')).toEqual(['old words'])
    second.worker.start()
    expect(await second.ended(task!.id)).toMatchObject({ status: 'succeeded' })
    expect(await second.found(of.caller, of.baseId, 'words')).toEqual(['new words'])
    expect(await second.service.document(of.caller, id)).toMatchObject({ version: 2, indexedVersion: 2 })
    await second.close()
  })

  it('on an index of another model fails and says so, and what is known of the document stays', async () => {
    const bench = await ServiceBench.open()
    const of = await bench.owner()
    const id = await bench.indexed(of, 'a.md', 'old words')
    const index = new DatabaseSync(join(bench.folder, 'index.db'))
    index.exec(`UPDATE state SET lexical_tokenizer = 'v0'`)
    index.close()
    const { task } = await bench.service.replace(of.caller, id, noForm, await bench.receive('a.md', 'new words'))
    const { status, reason } = await bench.ended(task!.id)
    expect([status, reason!.code]).toEqual(['failed', 'INDEX_MODEL_MISMATCH'])
    expect(await bench.service.document(of.caller, id)).toMatchObject({ indexedVersion: 1, indexStatus: 'failed' })
    await bench.close()
  })

  it('of each of twenty uploads ends well while all are read and searched', async () => {
    const bench = await ServiceBench.open()
    const of = await bench.owner()
    const uploads = await Promise.all(
      Array.from({ length: 20 }, (_, at) => bench.upload(of, [`${at}.md`, `crowd words ${at}`], toBeIndexed))
    )
    const watching = Promise.all(
      uploads.map(async ({ document, task }) => {
        await bench.service.documents(of.caller, of.baseId, { limit: 5 })
        await bench.found(of.caller, of.baseId, 'crowd')
        await bench.service.document(of.caller, document.id)
        return bench.ended(task!.id)
      })
    )
    expect(new Set((await watching).map(({ status }) => status))).toEqual(new Set(['succeeded']))
    expect(await bench.found(of.caller, of.baseId, 'crowd')).toHaveLength(20)
    await bench.close()
  })
})

function arriving(bytes: number) {
  return { fileName: 'a.md', content: pieces(Buffer.alloc(bytes, 'x')), maxBytes: 1_000_000 }
}

describe('a full disk', () => {
  it('refuses what arrives, and keeps nothing of it', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'oncall-full-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      rmSync(folder, { recursive: true })
      context.skip('this user may not mount a small file system')
    }
    try {
      await expect(writeIncoming(folder, arriving(200_000))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
      expect(await writeIncoming(folder, arriving(20_000))).toMatchObject({ byteSize: 20_000 })
    } finally {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true })
    }
  })
})
