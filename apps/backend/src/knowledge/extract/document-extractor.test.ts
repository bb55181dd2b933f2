import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { bombPage, linesOf, makePdf } from '../test-material/make-pdf.ts'
import { needsShared, readShared, sharedIsAbsent } from '../test-material/shared-files.ts'
import { type ExtractionLimits, defaultKnowledgeSettings } from '../settings.ts'
import type { PrepareRequest } from './child/protocol.ts'
import { ReaderProcess } from './child/reader-process.ts'
import { type DocumentExtractor, createDocumentExtractor } from './document-extractor.ts'
import { sniffFormat } from './sniff.ts'

const { extraction: usual, chunking, documents } = defaultKnowledgeSettings
const counters = new URL('../test-material/token-counters.ts', import.meta.url).href
const open: { close(): void }[] = []

afterEach(() => {
  for (const opened of open.splice(0)) opened.close()
})

function extractor(limits: Partial<ExtractionLimits> = {}, exportName?: string): DocumentExtractor {
  const made = createDocumentExtractor({
    limits: { ...usual, ...limits },
    ...(exportName === undefined ? {} : { tokenCounter: { moduleUrl: counters, exportName } })
  })
  open.push(made)
  return made
}

function request(name: string, content: string | Uint8Array, more: Partial<PrepareRequest> = {}): PrepareRequest {
  const bytes = Buffer.from(content as string)
  return { name, format: sniffFormat(name, bytes), bytes, chunking, maxTokens: 512, ...documents, ...more }
}

const refusal = (message: string, reason?: string) =>
  reason === undefined ? { message } : { code: 'DOCUMENT_UNREADABLE', message, details: { reason } }

describe('the document extractor', () => {
  it('reads and cuts a document in another process', async () => {
    const document = await extractor().prepare(
      request('runbooks/disk.md', '# Disk full\n\n## Steps\n\nFree some space.')
    )
    expect(document).toMatchObject({
      title: 'Disk full',
      text: '# Disk full\n\n## Steps\n\nFree some space.',
      strategy: 'markdown',
      chunks: [{ sequence: 0, headingPath: ['Disk full', 'Steps'], content: 'Free some space.', start: 23, end: 39 }]
    })
  })

  it('cuts formats without headings by paragraphs, with pages where there are any', async () => {
    const reader = extractor()
    expect(await reader.prepare(request('a.txt', '# one\n\ntwo'))).toMatchObject({ title: 'a', strategy: 'paragraph' })
    const pdf = await reader.prepare(request('b.pdf', makePdf([linesOf(['one']), linesOf(['two'])])))
    expect(pdf.strategy).toBe('paragraph')
    expect(pdf.chunks[0]?.page).toBe(1)
  })

  it('counts with the counter it is given, made by a function or an async one', async () => {
    const text = `# T\n\n${'word '.repeat(300)}`
    const size = { chunking: { ...chunking, size: 100, overlap: 0 } }
    expect((await extractor({}, 'countWords').prepare(request('a.md', text, size))).chunks).toHaveLength(4)
    expect((await extractor({}, 'countEach').prepare(request('a.md', text, size))).chunks.length).toBeGreaterThan(14)
    expect((await extractor().prepare(request('a.md', text, size))).chunks.length).toBeGreaterThan(3)
  })

  it('fails with the cause when the counter cannot be loaded', async () => {
    const failed = extractor({}, 'notAFunction').prepare(request('a.md', 'x'))
    await expect(failed).rejects.toThrow(/exports no function notAFunction/)
  })

  it('passes a refusal on as it is', async () => {
    const reader = extractor()
    await expect(reader.prepare(request('dir/a.md', '# Only\n'))).rejects.toMatchObject(
      refusal('dir/a.md has headings but no text under them', 'headings-only')
    )
    await expect(reader.prepare(request('b.md', ' \n\t'))).rejects.toMatchObject({ details: { reason: 'no-text' } })
    await expect(reader.prepare(request('c.md', '<!-- only -->\n'))).rejects.toMatchObject({
      details: { reason: 'no-text' }
    })
    await expect(reader.prepare(request('d.pdf', makePdf([''])))).rejects.toMatchObject({
      details: { reason: 'pdf-no-text-layer' }
    })
  })

  it('names limit and size of what is too large', async () => {
    const reader = extractor()
    await expect(reader.prepare(request('a.md', 'x'.repeat(101), { maxCharacters: 100 }))).rejects.toMatchObject(
      refusal('a.md is too large: 101 characters of text, and 100 are allowed')
    )
    const many = request('a.md', 'one\n\n# h\n\ntwo\n\n# i\n\nthree', { maxChunks: 2 })
    await expect(reader.prepare(many)).rejects.toMatchObject(refusal('a.md is too large: 3 chunks, and 2 are allowed'))
  })

  it('keeps a title from filling the window of the embedder', async () => {
    const document = await extractor().prepare(request('a.md', `---\ntitle: ${'题'.repeat(1000)}\n---\ntext`))
    expect(document.title).toBe('题'.repeat(200))
    const shouting = await extractor().prepare(request('a.md', `# ${'长标题'.repeat(2000)}\n\ntext`))
    expect(shouting.chunks.length).toBeGreaterThan(0)
    expect(shouting.chunks.filter((chunk) => chunk.headingPath.length > 0)).toEqual([])
  })
})

describe('a document that is a bomb', () => {
  it('of a PDF that inflates to gigabytes ends the child, and the next document is read', async () => {
    const reader = extractor({ heapLimitMiB: 128, memoryLimitMiB: 400, timeLimitMs: 30_000 })
    const bomb = makePdf([bombPage(900)])
    expect(bomb.length).toBeLessThan(100_000)
    await expect(reader.prepare(request('bomb.pdf', bomb))).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: expect.stringMatching(
        /^bomb\.pdf (?:needs more than 400 MiB of memory to read|could not be read within 30 seconds)$/
      )
    })
    expect((await reader.prepare(request('next.md', 'still here'))).chunks).toHaveLength(1)
  })

  it('of time ends the child at its limit', async () => {
    const reader = extractor({ timeLimitMs: 2_000 }, 'hangOnDemand')
    await reader.prepare(request('warm.md', 'x'))
    const started = performance.now()
    await expect(reader.prepare(request('slow.md', 'HANG'))).rejects.toMatchObject({
      ...refusal('slow.md could not be read within 2 seconds', 'too-slow'),
      hint: 'Split the document, or raise documents.extractTimeoutMs in the settings; it is 2000 ms.'
    })
    expect(performance.now() - started).toBeLessThan(4_000)
    expect((await reader.prepare(request('next.md', 'fine'))).chunks).toHaveLength(1)
  })

  it.each([
    ['outside the heap', 'BUFFERS'],
    ['inside the heap', 'OBJECTS']
  ])('of memory %s ends the child, not the parent', async (_where, word) => {
    const reader = extractor({ heapLimitMiB: 100, memoryLimitMiB: 300 }, 'swellOnDemand')
    const before = process.memoryUsage().rss
    await expect(reader.prepare(request('big.md', word))).rejects.toMatchObject(
      refusal('big.md needs more than 300 MiB of memory to read', 'too-much-memory')
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
    expect((await reader.prepare(request('next.md', 'fine'))).chunks).toHaveLength(1)
  })

  it('of code can write no file and start no program', async () => {
    const reader = extractor({}, 'overreach')
    for (const word of ['WRITE', 'SPAWN']) {
      await expect(reader.prepare(request('a.md', word))).rejects.toThrow(
        expect.objectContaining({
          cause: expect.objectContaining({ message: expect.stringContaining('Access to this API has been restricted') })
        })
      )
    }
    expect(existsSync('/tmp/oncall-agent-overreach')).toBe(false)
  })
})

describe('the child process', () => {
  it('is one for many documents, and ends with close', async () => {
    const reader = new ReaderProcess(usual, undefined)
    open.push(reader)
    const { pid } = reader
    for (const name of ['a.md', 'b.md']) await reader.prepare(request(name, 'x'), undefined)
    expect(reader.pid).toBe(pid)
    expect(reader.spent).toBe(false)
    reader.close()
    while (!reader.spent) await sleep(10)
  })

  it('that is killed from outside costs one document', async () => {
    const reader = new ReaderProcess(usual, { moduleUrl: counters, exportName: 'hangOnDemand' })
    open.push(reader)
    const reading = reader.prepare(request('a.md', 'HANG'), undefined)
    setTimeout(() => process.kill(reader.pid!, 'SIGKILL'), 500)
    await expect(reading).rejects.toMatchObject(refusal('a.md made the document reader fail', 'reader-died'))
    expect(reader.spent).toBe(true)
  })

  it('that was killed is spent at once, though it dies a moment later', async () => {
    const reader = new ReaderProcess(usual, undefined)
    await reader.prepare(request('a.md', 'text'), undefined)
    expect(reader.spent).toBe(false)
    reader.close()
    expect(reader.spent).toBe(true)
  })

  it('stops when the signal does, with its reason', async () => {
    const extract = extractor({}, 'hangOnDemand')
    const stop = new AbortController()
    const reason = new Error('the user pressed Ctrl-C')
    const reading = extract.prepare(request('a.md', 'HANG'), stop.signal)
    setTimeout(() => stop.abort(reason), 500)
    await expect(reading).rejects.toBe(reason)
    await expect(extract.prepare(request('a.md', 'x'), stop.signal)).rejects.toBe(reason)
    expect((await extract.prepare(request('a.md', 'x'))).chunks).toHaveLength(1)
  })

  it('is replaced when it has grown old', async () => {
    const reader = new ReaderProcess({ ...usual, memoryLimitMiB: 160 }, undefined)
    open.push(reader)
    await reader.prepare(request('a.md', 'x'), undefined)
    // A Node process alone takes about half of this limit, which is what "worn" means.
    expect(reader.spent).toBe(true)
  })

  it('serves several callers in turn, as many at once as there are processes', async () => {
    const reader = extractor({ processes: 2 })
    const names = Array.from({ length: 7 }, (_, at) => `n${at}.md`)
    const titles = await Promise.all(names.map(async (name) => (await reader.prepare(request(name, 'x'))).title))
    expect(titles).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
  })

  it('is given to the next in the queue when the one before it stopped waiting', async () => {
    const extract = extractor({ processes: 1 }, 'hangOnDemand')
    const [reading, waiting] = [new AbortController(), new AbortController()]
    const first = extract.prepare(request('a.md', 'HANG'), reading.signal)
    const second = extract.prepare(request('b.md', 'x'), waiting.signal)
    const third = extract.prepare(request('c.md', 'x'))
    waiting.abort(new Error('second'))
    // At once, while the first is still reading.
    await expect(second).rejects.toThrow('second')
    reading.abort(new Error('first'))
    await expect(first).rejects.toThrow('first')
    expect((await third).title).toBe('c')
  })

  it('is given on when the one that was called stops in the same moment', async () => {
    const extract = extractor({ processes: 1 }, 'hangOnDemand')
    const stop = new AbortController()
    const first = extract.prepare(request('a.md', 'HANG'), stop.signal)
    const second = extract.prepare(request('b.md', 'x'), stop.signal)
    const third = extract.prepare(request('c.md', 'x'))
    stop.abort(new Error('both'))
    await expect(Promise.all([first, second])).rejects.toThrow('both')
    await expect(second).rejects.toThrow('both')
    expect((await third).title).toBe('c')
  })

  it('refuses those that wait when it is closed', async () => {
    const extract = extractor({ processes: 1 }, 'hangOnDemand')
    const all = ['a.md', 'b.md', 'c.md'].map((name) => extract.prepare(request(name, 'HANG')))
    extract.close()
    for (const { status } of await Promise.allSettled(all)) expect(status).toBe('rejected')
  })

  it('is refused after close', async () => {
    const reader = extractor()
    reader.close()
    await expect(reader.prepare(request('a.md', 'x'))).rejects.toThrow('the document extractor is closed')
  })
})

describe.skipIf(sharedIsAbsent)(`documents that broke other products${needsShared}`, () => {
  const reader = createDocumentExtractor({ limits: usual })
  const prepare = (file: string) => reader.prepare(request(file, readShared(`cases/peers/${file}`)))

  it.each([
    ['enc_gbk.md', '错误码 ORA-12516 表示监听器找不到可用的处理程序。'],
    ['enc_utf16le_bom.md', '错误码 ORA-12516 表示监听器找不到可用的处理程序。'],
    ['enc_utf8_bom.md', '错误码 ORA-12516 表示监听器找不到可用的处理程序。'],
    ['strict_and_void.md', '云工开物 300 元学生券']
  ])('%s is decoded right', async (file, words) => {
    expect((await prepare(file)).text).toContain(words)
  })

  it.each([
    ['enc_nul.md', 'enc_nul.md is not a text file: it contains zero bytes'],
    ['enc_invalid_utf8.md', 'enc_invalid_utf8.md is in a text encoding that was not recognised'],
    ['heading_only.md', 'heading_only.md has headings but no text under them'],
    [
      'whitespace_only.md',
      'whitespace_only.md has no text: it is blank, or holds only comments, markup or front matter'
    ],
    ['pdf_scanned_only.pdf', 'pdf_scanned_only.pdf has no text layer: its pages are pictures (scanned?) or empty'],
    ['pdf_truncated.pdf', 'pdf_truncated.pdf is damaged: its PDF structure cannot be read']
  ])('%s is refused in words', async (file, message) => {
    await expect(prepare(file)).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE', message })
  })

  it('empty.md and not_a_pdf.pdf are refused before a process is asked', () => {
    expect(() => request('empty.md', readShared('cases/peers/empty.md'))).toThrow('empty.md is empty')
    expect(() => request('not_a_pdf.pdf', readShared('cases/peers/not_a_pdf.pdf'))).toThrow('holds an HTML page')
  })

  it('a # in a fence opens no section', async () => {
    const { chunks } = await prepare('fence_hash.md')
    expect(chunks.map((chunk) => chunk.headingPath)).toEqual([['Restart runbook'], ['Setext title']])
    expect(chunks[1]!.content).toContain('AFTERFENCE-1')
  })

  it('a long table is cut between rows with its header, and every code is in one chunk', async () => {
    const { chunks, text } = await prepare('table_long.md')
    for (const { content } of chunks) expect(content).toMatch(/^\| code \| meaning \|\n\| --- \| --- \|\n\| E-/)
    const codes = [...text.matchAll(/E-\d{4}/g)].map(([code]) => code)
    expect(codes).toHaveLength(800)
    for (const code of codes)
      expect(chunks.filter(({ content }) => content.includes(`| ${code} |`)).length).toBeGreaterThan(0)
  })

  it('front matter is not text, its title is', async () => {
    const document = await prepare('front_matter.md')
    expect(document).toMatchObject({ title: 'Runbook: disk full', metadata: { owner: 'sre' } })
    expect(document.text).not.toContain('E-9001')
  })

  it('a citation of clause 400 has the span of clause 400', async () => {
    const { chunks, text } = await prepare('deep_citation.md')
    const chunk = chunks.find(({ content }) => content.includes('违反者处罚款'))!
    expect(text.slice(chunk.start, chunk.end)).toContain('CLAUSE-400')
  })

  it('an endless line is split and loses nothing', async () => {
    const { chunks, text } = await prepare('long_line_ascii.md')
    expect(chunks.length).toBeGreaterThan(100)
    expect(chunks.at(-1)!.end).toBe(text.trimEnd().length)
  })

  it('an instruction in a comment is not even indexed', async () => {
    const { text } = await prepare('injection_runbook.md')
    expect(text).not.toContain('delete_document')
    expect(text).toContain('queue lag starts at 14:02 UTC')
  })
})
