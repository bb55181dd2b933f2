import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { docxFiles, makeDocx, makeZip, paragraph } from '../test-material/make-docx.ts'
import { needsShared, readShared, sharedIsAbsent, sharedPath } from '../test-material/shared-files.ts'
import { defaultKnowledgeSettings } from '../settings.ts'
import { ReaderProcess } from './child/reader-process.ts'
import { sniffFormat } from './sniff.ts'

const { extraction: limits, chunking, documents } = defaultKnowledgeSettings
/** Peaks are known where the kernel tells them. */
const noPeak = process.platform === 'linux' ? '' : ' (skipped: no /proc)'

let reader = new ReaderProcess(limits, undefined)
afterAll(() => reader.close())

/** Reads a document in a child as the server does, and tells the highest memory of that child so far, in MiB. */
async function peakAfter(name: string, bytes: Uint8Array): Promise<{ peakMiB: number; outcome: string }> {
  if (reader.spent) {
    reader.close()
    reader = new ReaderProcess(limits, undefined)
  }
  const request = { name, format: sniffFormat(name, bytes), bytes, chunking, maxTokens: 512, ...documents }
  const outcome = await reader.prepare(request, undefined).then(
    (document) => `${document.chunks.length} chunks`,
    (error: { details?: { reason?: string; what?: string } }) => error.details?.reason ?? error.details?.what ?? ''
  )
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${reader.pid}/status`, 'utf8'))?.[1]
  return { peakMiB: Number(peak) / 1024, outcome }
}

describe.skipIf(noPeak !== '')(`memory of the child that reads${noPeak}`, () => {
  const levels = 100_000
  it.each<[string, string, () => Uint8Array, RegExp]>([
    ['a Word document of 66 kB that unpacks to 64 MiB', 'a.docx', () => bomb(64), /^unpacks-too-large$/],
    ['one that lies about its size', 'a.docx', () => bomb(64, 10), /^unpacks-too-large$/],
    [
      'one with as many elements as are allowed',
      'a.docx',
      () => makeDocx({ body: many(paragraph('ab'), 49_000) }),
      /chunks$/
    ],
    ['a page of 100,000 levels', 'a.html', () => html(many('<div>', levels) + 'words'), /^1 chunks$/],
    ['a page with an attribute of 15 MB', 'a.html', () => html(`<p title="${'x'.repeat(15e6)}">words`), /^1 chunks$/],
    ['a page of 500,000 elements', 'a.html', () => html(many('<p>a', 499_000)), /^(?:\d+ )?chunks$/]
  ])('stays below its limit on %s', async (_what, name, make, expected) => {
    const { peakMiB, outcome } = await peakAfter(name, make())
    expect(outcome).toMatch(expected)
    expect(peakMiB).toBeLessThan(limits.memoryLimitMiB)
    // And the next document is read.
    expect((await peakAfter('next.md', Buffer.from('fine'))).outcome).toBe('1 chunks')
  })
})

describe.skipIf(sharedIsAbsent || noPeak !== '')(`memory of the child on real PDF files${needsShared}${noPeak}`, () => {
  const files = sharedIsAbsent ? [] : readdirSync(sharedPath('files/pdf'))
  it.each(files)('stays below its limit on %s', async (file) => {
    const { peakMiB, outcome } = await peakAfter(file, readShared(`files/pdf/${file}`))
    expect(outcome).not.toBe('too-much-memory')
    expect(peakMiB).toBeLessThan(limits.memoryLimitMiB)
  })
})

function bomb(mebibytes: number, claimedSize?: number): Uint8Array {
  const content = `<w:document>${' '.repeat(mebibytes * 1024 * 1024)}</w:document>`
  return makeZip(
    docxFiles({ body: '' }).map((file) =>
      file.name === 'word/document.xml' ? { ...file, content, ...(claimedSize !== undefined && { claimedSize }) } : file
    )
  )
}

function many(text: string, count: number): string {
  return text.repeat(count)
}

function html(body: string): Uint8Array {
  return Buffer.from(`<!doctype html><html><body>${body}`)
}
