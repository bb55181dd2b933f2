import { renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PortError } from '@oncall-agent/retrieval'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HashEmbedder, IndexingBench } from './test-material/indexing-bench.ts'
import { bombPage, linesOf, makePdf } from './test-material/make-pdf.ts'
import type { IndexProgress } from './run-report.ts'
import { defaultKnowledgeSettings } from './settings.ts'

let bench: IndexingBench
beforeEach(() => {
  bench = new IndexingBench()
})
afterEach(() => bench.close())

const counts = ({ indexed, replaced, unchanged, removed, failed }: Awaited<ReturnType<IndexingBench['run']>>) => ({
  indexed,
  replaced,
  unchanged,
  removed,
  failed: failed.length
})

describe('indexing a folder', () => {
  it('takes no file of the data folder for a document, and does not list them as skipped', async () => {
    bench.put('disk.md', 'free space')
    bench.put('data/notes.md', 'not a runbook')
    bench.put('data/index.db', 'not text')
    const report = await bench.run({}, { dataDirectory: join(bench.folder, 'data') })
    expect([report.indexed, report.skippedTotal]).toEqual([1, 0])
  })

  it('makes its documents retrievable, with where they came from and how they were cut', async () => {
    bench.put(
      'k8s/disk.md',
      '---\nowner: sre\nknowledge_type: alarm\ntags: [a]\n---\n# Disk full\n\n## Steps\n\nFree `/var`.'
    )
    bench.put('manual.pdf', makePdf([linesOf(['Page one']), linesOf(['Page two'])]))
    const report = await bench.run()
    expect(counts(report)).toEqual({ indexed: 2, replaced: 0, unchanged: 0, removed: 0, failed: 0 })
    expect(report.chunks).toBe(2)
    expect(await bench.contents()).toEqual({
      'runbooks/k8s/disk.md': 'Free `/var`.',
      'runbooks/manual.pdf': 'Page one\n\nPage two'
    })

    const [disk, manual] = await bench.documents()
    expect(disk).toMatchObject({
      documentId: expect.stringMatching(/^[0-9a-f]{16}$/),
      title: 'Disk full',
      version: 1,
      createdAt: bench.now,
      ownerUserId: 'ana',
      metadata: { owner: 'sre', format: 'markdown', folder: bench.scratch }
    })
    expect(manual).toMatchObject({ title: 'manual', createdAt: bench.now + 1 })
    const [chunk] = await bench.chunksOf(disk!.documentId)
    expect(chunk).toMatchObject({ headingPath: ['Disk full', 'Steps'], start: 23, end: 35 })
    expect(chunk!.metadata).toMatchObject({
      strategy: 'markdown',
      chunkSize: 480,
      chunkOverlap: 60,
      chunkUnit: 'tokens',
      knowledgeType: 'alarm',
      ownerUserId: 'ana',
      tenantId: 'local',
      documentVersion: 1,
      textHash: expect.stringMatching(/^[0-9a-f]{64}$/)
    })
    expect((await bench.chunksOf(manual!.documentId))[0]!.metadata).toMatchObject({ strategy: 'paragraph', page: 1 })
  })

  it('embeds the searched text: title, heading path and content', async () => {
    bench.put('a.md', '# KubePodCrashLooping\n\n## Diagnosis\n\nLook at the logs.')
    await bench.run()
    expect(bench.embedder.batches).toEqual([['KubePodCrashLooping\nDiagnosis\nLook at the logs.']])
  })

  it('does nothing the second time, and embeds nothing', async () => {
    bench.put('a.md', 'one')
    bench.put('b.txt', 'two')
    await bench.run()
    utimesSync(join(bench.folder, 'a.md'), new Date(), new Date())
    expect(counts(await bench.run())).toEqual({ indexed: 0, replaced: 0, unchanged: 2, removed: 0, failed: 0 })
    expect(bench.embedder.batches.flat()).toHaveLength(2)
  })

  it('knows the folder again from another working directory and by a link to it', async () => {
    bench.put('a.md', 'one')
    await bench.run({ paths: [relative(process.cwd(), bench.folder)] })
    symlinkSync(bench.folder, join(bench.scratch, 'alias'))
    expect(counts(await bench.run({ paths: [join(bench.scratch, 'alias')] }))).toMatchObject({
      unchanged: 1,
      indexed: 0
    })
    expect(counts(await bench.run({ paths: [join(bench.folder, 'a.md')] }))).toMatchObject({ unchanged: 1, indexed: 0 })
  })

  it('replaces what has changed, under the same id, with a new version and the old place in the corpus', async () => {
    bench.put('a.md', 'old words')
    bench.put('b.md', 'same')
    await bench.run()
    const [before] = await bench.documents()
    bench.now += 60_000
    bench.put('a.md', 'new words')
    expect(counts(await bench.run())).toEqual({ indexed: 0, replaced: 1, unchanged: 1, removed: 0, failed: 0 })
    const [after] = await bench.documents()
    expect(after).toMatchObject({ documentId: before!.documentId, version: 2, createdAt: before!.createdAt })
    expect((await bench.contents())['runbooks/a.md']).toBe('new words')
  })

  it('reads everything again when the way of cutting or the model changes', async () => {
    bench.put('a.md', 'words')
    await bench.run()
    const settings = { ...defaultKnowledgeSettings, chunking: { ...defaultKnowledgeSettings.chunking, size: 100 } }
    expect(counts(await bench.run({}, { settings }))).toMatchObject({ replaced: 1, unchanged: 0 })
    expect(counts(await bench.run({}, { settings, embedder: new HashEmbedder('other') }))).toMatchObject({
      replaced: 1
    })
  })

  it('gives two files of the same bytes two documents', async () => {
    bench.put('dup_a.md', '# Same\n\nidentical')
    bench.put('dup_b.md', '# Same\n\nidentical')
    expect((await bench.run()).indexed).toBe(2)
  })

  it('keeps knowledge bases apart', async () => {
    bench.put('a.md', 'one')
    await bench.run()
    const other = { knowledgeBaseId: 'other', tenantId: 'local', ownerUserId: 'ana' }
    expect(counts(await bench.run({ knowledgeBase: other }))).toMatchObject({ indexed: 1, unchanged: 0 })
    expect(await bench.documents()).toHaveLength(1)
  })
})

describe('files that are gone', () => {
  it('are removed, and only those under the given folders', async () => {
    bench.put('a/one.md', '1')
    bench.put('a/two.md', '2')
    bench.put('b/three.md', '3')
    await bench.run()
    bench.remove('a/two.md')
    bench.remove('b/three.md')
    expect(counts(await bench.run({ paths: [join(bench.folder, 'a')] }))).toMatchObject({ removed: 1, unchanged: 1 })
    expect(Object.keys(await bench.contents())).toEqual(['runbooks/a/one.md', 'runbooks/b/three.md'])
  })

  it('that were only renamed are removed and indexed anew', async () => {
    bench.put('old.md', 'x')
    bench.put('stays.md', 'y')
    await bench.run()
    renameSync(join(bench.folder, 'old.md'), join(bench.folder, 'new.md'))
    expect(counts(await bench.run())).toMatchObject({ indexed: 1, removed: 1, unchanged: 1 })
  })

  it('stay when nothing at all is left: the disk may not be mounted', async () => {
    bench.put('a.md', 'x')
    await bench.run()
    bench.remove('a.md')
    await expect(bench.run()).rejects.toMatchObject({ code: 'NOTHING_TO_INDEX' })
    bench.put('../other/b.md', 'y')
    const report = await bench.run({ paths: [bench.folder, join(bench.scratch, 'other')] })
    expect(counts(report)).toMatchObject({ indexed: 1, removed: 0 })
    expect(report.warnings).toEqual([
      { path: bench.folder, message: 'no document was found in it; nothing was removed' }
    ])
    expect(await bench.contents()).toHaveProperty(['runbooks/a.md'])
  })

  it('stay when the folder itself is missing', async () => {
    bench.put('a.md', 'x')
    await bench.run()
    rmSync(bench.folder, { recursive: true })
    await expect(bench.run()).rejects.toMatchObject({ code: 'PATH_UNREADABLE' })
    expect(await bench.contents()).toHaveProperty(['runbooks/a.md'])
  })
})

describe('a file that cannot be read', () => {
  it('is reported by name and reason, and the others are indexed', async () => {
    bench.put('1-empty.md', '')
    bench.put('2-heading.md', '# Only')
    bench.put('3-fine.md', 'fine')
    bench.put('4-not.pdf', '<html>login</html>')
    bench.put('5-bomb.pdf', makePdf([bombPage(900)]))
    bench.put('6-large.txt', 'x'.repeat(2_100_000))
    bench.put('7-fine.txt', 'fine too')
    bench.put('rules.yaml', 'groups:')
    const report = await bench.run()
    expect(report.indexed).toBe(2)
    expect(report.failed.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'runbooks/1-empty.md DOCUMENT_UNREADABLE',
      'runbooks/2-heading.md DOCUMENT_UNREADABLE',
      'runbooks/4-not.pdf DOCUMENT_UNREADABLE',
      'runbooks/5-bomb.pdf DOCUMENT_UNREADABLE',
      'runbooks/6-large.txt PAYLOAD_TOO_LARGE'
    ])
    expect(report.skipped).toEqual([
      {
        path: 'runbooks/rules.yaml',
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: 'runbooks/rules.yaml: .yaml files are not supported'
      }
    ])
  })

  it('keeps the version that was indexed before', async () => {
    bench.put('a.md', 'good words')
    await bench.run()
    bench.put('a.md', '# nothing but a heading')
    const report = await bench.run()
    expect(counts(report)).toEqual({ indexed: 0, replaced: 0, unchanged: 0, removed: 0, failed: 1 })
    expect(await bench.contents()).toEqual({ 'runbooks/a.md': 'good words' })
  })

  it('of an unsupported type that was asked for by name is a failure', async () => {
    bench.put('a.md', 'x')
    const rules = bench.put('rules.yaml', 'x')
    const report = await bench.run({ paths: [join(bench.folder, 'a.md'), rules] })
    expect(report.failed).toMatchObject([{ code: 'UNSUPPORTED_MEDIA_TYPE', path: 'runbooks/rules.yaml' }])
  })

  it('in part is indexed with a warning', async () => {
    bench.put('a.pdf', makePdf([linesOf(['text']), '0 0 9 9 re f']))
    expect((await bench.run()).warnings).toEqual([
      { path: 'runbooks/a.pdf', message: 'page 2: no text (a scan, a picture, or empty)' }
    ])
  })
})

describe('an embedder that answers badly', () => {
  const bad: Record<string, (answers: { vector: Float32Array; tokenCount: number }[]) => unknown> = {
    'too few vectors': (answers) => answers.slice(1),
    'a vector too short': (answers) => answers.map((answer) => ({ ...answer, vector: answer.vector.slice(1) })),
    'an empty vector': (answers) => answers.map((answer) => ({ ...answer, vector: new Float32Array(0) })),
    'a vector of zeros': (answers) => answers.map((answer) => ({ ...answer, vector: new Float32Array(16) })),
    'not a number': (answers) => answers.map((answer) => ({ ...answer, vector: answer.vector.fill(Number.NaN, 3, 4) })),
    infinity: (answers) => answers.map((answer) => ({ ...answer, vector: answer.vector.fill(Infinity, 3, 4) })),
    'a vector not of length one': (answers) =>
      answers.map((answer) => ({ ...answer, vector: answer.vector.map((value) => value * 2) })),
    'no token count': (answers) => answers.map(({ vector }) => ({ vector, tokenCount: Number.NaN }))
  }

  it.each(Object.keys(bad))('%s: ends the run before anything of it is published', async (kind) => {
    bench.put('a.md', 'old')
    await bench.run()
    bench.put('a.md', 'new')
    bench.embedder.fault = bad[kind] as never
    await expect(bench.run()).rejects.toMatchObject({
      code: 'SYSTEM_UNAVAILABLE',
      message: expect.stringMatching(/^The embedding model gave an answer that cannot be used: /),
      details: { model: 'hash' }
    })
    expect(await bench.contents()).toEqual({ 'runbooks/a.md': 'old' })
    bench.embedder.fault = undefined
    expect(counts(await bench.run())).toMatchObject({ replaced: 1 })
  })

  it('in the middle of a document publishes nothing of that document, and keeps what was complete', async () => {
    bench.put('a.md', 'short')
    bench.put('b.md', Array.from({ length: 12 }, (_, at) => `# h${at}\n\ntext ${at}`).join('\n\n'))
    bench.embedder.fault = (answers, batch) => (batch === 2 ? answers.slice(1) : undefined)
    await expect(bench.run()).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    expect(Object.keys(await bench.contents())).toEqual(['runbooks/a.md'])
  })
})

describe('a run that cannot go on', () => {
  it.each([
    ['disk-full', 'STORAGE_FULL'],
    ['locked', 'DATA_LOCKED'],
    ['closed', 'SYSTEM_UNAVAILABLE'],
    ['model-mismatch', 'INDEX_MODEL_MISMATCH'],
    ['corrupt', 'DATA_CORRUPT']
  ] as const)('because the index is %s stops at once with %s', async (failure, code) => {
    for (let at = 0; at < 30; at++) bench.put(`${at}.md`, `text ${at}`)
    let calls = 0
    const index = {
      ...bench.index.writer,
      replaceDocument: async () => {
        calls++
        throw new PortError(failure, { operation: 'replace document', subject: 'x', reason: 'broken on purpose' })
      }
    }
    await expect(bench.run({}, { index })).rejects.toMatchObject({ code, cause: { failure } })
    expect(calls).toBe(1)
  })

  it('because it is stopped ends soon, keeps what is published, and is taken up by the next', async () => {
    for (let at = 0; at < 40; at++) bench.put(`${String(at).padStart(2, '0')}.md`, `text ${at}`)
    const stop = new AbortController()
    bench.embedder.fault = async (_answers, batch, signal) => {
      if (batch === 2) stop.abort(new Error('Ctrl-C'))
      await sleep(5, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
    await expect(bench.run({ signal: stop.signal })).rejects.toThrow('Ctrl-C')
    const published = (await bench.documents()).length
    expect(published).toBeGreaterThan(0)
    expect(published).toBeLessThan(20)
    bench.embedder.fault = undefined
    expect(counts(await bench.run())).toMatchObject({ indexed: 40 - published, unchanged: published })
  })

  it('before it began has done nothing', async () => {
    bench.put('a.md', 'x')
    await expect(bench.run({ signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late')
    await expect(bench.run({ paths: [bench.folder, '/no/such/folder'] })).rejects.toMatchObject({
      code: 'PATH_UNREADABLE'
    })
    await expect(bench.run({ paths: [] })).rejects.toMatchObject({ code: 'NOTHING_TO_INDEX' })
    expect(await bench.documents()).toEqual([])
  })

  it('releases the data folder for the next', async () => {
    bench.put('a.md', 'x')
    bench.embedder.fault = () => []
    await expect(bench.run()).rejects.toMatchObject({ code: 'SYSTEM_UNAVAILABLE' })
    bench.embedder.fault = undefined
    expect((await bench.run()).indexed).toBe(1)
  })
})

describe('while it runs', () => {
  it('a second run on the same data folder is refused', async () => {
    bench.put('a.md', 'x')
    let second: Promise<unknown> | undefined
    bench.embedder.fault = async () => {
      second ??= bench.run().catch((error: unknown) => error)
      await second
    }
    await bench.run()
    expect(await second).toMatchObject({ code: 'DATA_LOCKED', details: { pid: process.pid } })
  })

  it('progress is told: phases in order, numbers that only grow, the document that was begun', async () => {
    for (let at = 0; at < 9; at++) bench.put(`${at}.md`, `text ${at}`)
    const told: IndexProgress[] = []
    await bench.run({ onProgress: (progress) => told.push(progress) })
    expect([...new Set(told.map((progress) => progress.phase))]).toEqual(['scanning', 'indexing', 'removing', 'done'])
    expect(told.at(-1)).toEqual({ phase: 'done', filesDone: 9, filesTotal: 9, chunksEmbedded: 9 })
    for (const [at, progress] of told.entries()) {
      expect(progress.filesDone).toBeGreaterThanOrEqual(told[at - 1]?.filesDone ?? 0)
      expect(progress.chunksEmbedded).toBeGreaterThanOrEqual(told[at - 1]?.chunksEmbedded ?? 0)
    }
    expect(told.flatMap((progress) => progress.path ?? [])).toContain('runbooks/8.md')
  })

  it('batches are full and span documents, and a document is read while another is embedded', async () => {
    for (let at = 0; at < 9; at++) bench.put(`${at}.md`, `text ${at}`)
    await bench.run()
    expect(bench.embedder.batches.map((batch) => batch.length)).toEqual([4, 4, 1])
  })
})
