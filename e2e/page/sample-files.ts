import { crc32 } from 'node:zlib'

/** A file as a file input takes it. */
export interface SampleFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const sample = (name: string, mimeType: string, content: string | Buffer): SampleFile => ({
  name,
  mimeType,
  buffer: Buffer.from(content as string)
})

export const markdown = (name: string, content: string): SampleFile => sample(name, 'text/markdown', content)
export const plainText = (name: string, content: string): SampleFile => sample(name, 'text/plain', content)
export const picture = (name: string): SampleFile => sample(name, 'image/gif', 'GIF89a')

export const html = (name: string, title: string, body: string): SampleFile =>
  sample(name, 'text/html', `<!doctype html><title>${title}</title><h1>${title}</h1><p>${body}</p>`)

/** "磁盘已满时，先删除旧日志，再重启采集服务。错误码" in GBK, as an old Windows in China saves it. */
const GBK_TEXT = 'b4c5c5ccd2d1c2facab1a3accfc8c9beb3fdbec9c8d5d6bea3acd4d9d6d8c6f4b2c9bcafb7fecef1a1a3b4edcef3c2eb'

export const chineseGbk = (name: string): SampleFile =>
  sample(name, 'text/plain', Buffer.concat([Buffer.from(GBK_TEXT, 'hex'), Buffer.from(' DISK_FULL_77\n')]))

/** A line of Latin text on one page; without a line it is what a scanner makes: a page and no text. */
export function pdf(name: string, line?: string): SampleFile {
  const drawing = line === undefined ? '0 0 10 10 re f' : `BT /F 12 Tf 50 700 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F 3 0 R >> >> >>',
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`
  ]
  let written = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = written.length
    written += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${written.length}\n%%EOF\n`
  return sample(name, 'application/pdf', written + table + trailer)
}

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

const paragraph = (text: string, style = ''): string => `<w:p>${style}<w:r><w:t>${text}</w:t></w:r></w:p>`
const relation = (type: string, target: string): string =>
  `<Relationships xmlns="${RELATIONS}"><Relationship Id="r1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

/** A Word document of one heading and one paragraph. */
export function docx(name: string, heading: string, body: string): SampleFile {
  const styled = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
  const heading1 = '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
  const archive = storedZip({
    '[Content_Types].xml': `<Types xmlns="${CONTENT_TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relation('officeDocument', 'word/document.xml'),
    'word/_rels/document.xml.rels': relation('styles', 'styles.xml'),
    'word/styles.xml': `<w:styles ${WORD}>${heading1}</w:styles>`,
    'word/document.xml': `<w:document ${WORD}><w:body>${paragraph(heading, styled)}${paragraph(body)}</w:body></w:document>`
  })
  return sample(name, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', archive)
}

/** An archive whose files are stored as they are. */
function storedZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path)
    const content = Buffer.from(text)
    // From "version needed" to "length of the extra field": equal in both headers of a file.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(content.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    parts.push(number32(0x04_03_4b_50), common, name, content)
    directory.push(number32(0x02_01_4b_50), Buffer.from([20, 0]), common, Buffer.alloc(10), number32(offset), name)
    offset += 30 + name.length + content.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, central, number32(0x06_05_4b_50), end])
}

function number32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
