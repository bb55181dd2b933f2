import { describe, expect, it } from 'vitest'
import { type ZipFile, docxFiles, makeDocx, makeZip, paragraph } from '../../test-material/make-docx.ts'
import { extractDocx } from './extract-docx.ts'
import { readZipDirectory } from './zip-directory.ts'

const read = (bytes: Uint8Array) => extractDocx(bytes, 'bad.docx', 2_000_000)
const refusal = (reason: string, message: RegExp) => ({
  code: 'DOCUMENT_UNREADABLE',
  details: { file: 'bad.docx', reason },
  message: expect.stringMatching(message)
})
const mebibyte = 1024 * 1024
/** A document whose main part is changed. */
const withMain = (change: Partial<ZipFile>, body = paragraph('words')) =>
  makeZip(docxFiles({ body }).map((file) => (file.name === 'word/document.xml' ? { ...file, ...change } : file)))

describe('a Word document that is a bomb', () => {
  const bomb = { content: `<w:document>${' '.repeat(64 * mebibyte)}</w:document>` }

  it('of 66 kB that unpacks to 64 MiB is refused', async () => {
    const archive = withMain(bomb)
    expect(archive.length).toBeLessThan(70_000)
    await expect(read(archive)).rejects.toMatchObject(
      refusal('unpacks-too-large', /^bad\.docx holds more than 24 MiB of text and markup when unpacked$/)
    )
  })

  it('is refused when it lies about its size', async () => {
    const before = process.memoryUsage().rss
    await expect(read(withMain({ ...bomb, claimedSize: 100 }))).rejects.toMatchObject(
      refusal('unpacks-too-large', /24 MiB/)
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * mebibyte)
  })

  it('is refused when only all its parts together are too large', async () => {
    const part = { content: `<?xml version="1.0"?><!--${' '.repeat(13 * mebibyte)}--><w:styles/>` }
    const files = docxFiles({ body: paragraph('x') }).map((file) =>
      /styles|document\.xml$/.test(file.name) ? { ...file, content: `${part.content}` } : file
    )
    await expect(read(makeZip(files))).rejects.toMatchObject(refusal('unpacks-too-large', /24 MiB/))
  })

  it('of pictures is none: they are not unpacked', async () => {
    const picture = { name: 'word/media/huge.png', content: Buffer.alloc(64 * mebibyte) }
    expect((await read(makeDocx({ body: paragraph('words'), more: [picture] }))).text).toBe('words')
  })

  it('of elements is refused', async () => {
    await expect(read(makeDocx({ body: '<w:p/>'.repeat(200_000) }))).rejects.toMatchObject(
      refusal('too-complex', /has more than 200,000 elements/)
    )
  })

  it('of levels is refused', async () => {
    const levels = 30_000
    const body = '<w:sdt><w:sdtContent>'.repeat(levels) + paragraph('x') + '</w:sdtContent></w:sdt>'.repeat(levels)
    await expect(read(makeDocx({ body }))).rejects.toMatchObject(refusal('docx-damaged', /nested too deeply$/))
  })

  it('of entities is refused before they are read', async () => {
    const types = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>'
    for (const name of ['word/document.xml', 'word/styles.xml', '_rels/.rels', '[Content_Types].xml']) {
      const files = docxFiles({ body: paragraph('&c;') }).map((file) =>
        file.name === name ? { ...file, content: types + String(file.content) } : file
      )
      await expect(read(makeZip(files)), name).rejects.toMatchObject(
        refusal('docx-unsafe', /has a document type definition in .*, as no Word document does$/)
      )
    }
  })

  it('of names is none: they are keys, never paths', async () => {
    const more = ['../../../tmp/evil.xml', '/etc/passwd.xml', '__proto__.xml', 'C:\\evil.xml'].map((name) => ({
      name,
      content: 'x'
    }))
    expect((await read(makeDocx({ body: paragraph('words'), more }))).text).toBe('words')
  })

  it('of links fetches and opens nothing', async () => {
    const outside =
      '<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="r-out"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    const relations = docxFiles({ body: '' }).find(({ name }) => name === 'word/_rels/document.xml.rels')!
    const target =
      '<Relationship Id="r-out" Type="x/image" TargetMode="External" Target="file:///etc/passwd"/></Relationships>'
    const files = docxFiles({ body: outside + paragraph('words') }).map((file) =>
      file.name === relations.name
        ? { ...file, content: String(file.content).replace('</Relationships>', target) }
        : file
    )
    expect(await read(makeZip(files))).toMatchObject({ text: 'words', warnings: ['1 picture was not read'] })
  })
})

describe('a Word document that is damaged', () => {
  it.each<[string, Partial<ZipFile>, string, RegExp]>([
    ['bytes that changed', { claimedCrc: 1 }, 'docx-damaged', /word\/document\.xml is not what was stored$/],
    ['a password of the archive', { encrypted: true }, 'docx-encrypted', /^bad\.docx is password-protected$/],
    ['an unknown packing', { method: 12 }, 'docx-damaged', /packed in an unknown way$/],
    ['broken XML', { content: '<w:document><w:body>' }, 'docx-damaged', /its structure cannot be read$/],
    ['no XML', { content: 'words' }, 'docx-damaged', /its structure cannot be read$/],
    [
      'another encoding',
      { content: Buffer.from([0xff, 0x20, 0x80]) },
      'docx-damaged',
      /not in the encoding that it should be$/
    ]
  ])('by %s is refused with a reason', async (_what, change, reason, message) => {
    await expect(read(withMain(change))).rejects.toMatchObject(refusal(reason, message))
  })

  it('is refused wherever it is cut off', async () => {
    const whole = makeDocx({ body: paragraph('words') })
    for (let length = 4; length < whole.length; length += 97)
      await expect(read(whole.subarray(0, length))).rejects.toMatchObject({ code: 'DOCUMENT_UNREADABLE' })
  })

  it('by any changed byte is read or refused, and never breaks its reader', async () => {
    const whole = makeDocx({ body: paragraph('words') })
    for (let at = 0; at < whole.length; at += 13) {
      const changed = Buffer.from(whole)
      changed[at] = changed[at]! ^ 0xff
      const code = await read(changed).then(
        () => 'read',
        (error: { code?: string }) => error.code
      )
      expect(['read', 'DOCUMENT_UNREADABLE']).toContain(code)
    }
  })

  it('says what is wrong with the directory of its archive', () => {
    const many = makeZip(Array.from({ length: 10_001 }, (_, at) => ({ name: `${at}`, content: '', method: 0 })))
    expect(readZipDirectory(many)).toEqual({ kind: 'damaged', problem: 'it holds more than 10,000 files' })
    expect(readZipDirectory(Buffer.from('PK'))).toMatchObject({ kind: 'damaged' })
    const wide = makeZip([{ name: 'a', content: 'x' }], true)
    wide.fill(0xff, wide.length - 22 - 20 + 8, wide.length - 22 - 20 + 16)
    expect(readZipDirectory(wide)).toEqual({ kind: 'damaged', problem: 'its directory is broken' })
  })
})
