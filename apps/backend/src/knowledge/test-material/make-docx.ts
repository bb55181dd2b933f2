import { crc32, deflateRawSync } from 'node:zlib'

/** A file for an archive. What is claimed about it can be a lie. */
export interface ZipFile {
  readonly name: string
  readonly content: string | Uint8Array
  readonly claimedSize?: number
  readonly claimedCrc?: number
  /** 8, deflated, when absent. */
  readonly method?: number
  readonly encrypted?: boolean
}

/** A ZIP archive. @param zip64 writes sizes, offsets and directory the way archives above 4 GiB do */
export function makeZip(files: readonly ZipFile[], zip64 = false): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const content = Buffer.from(file.content as string)
    const method = file.method ?? 8
    const packed = method === 8 ? deflateRawSync(content) : content
    const name = Buffer.from(file.name)
    const size = file.claimedSize ?? content.length
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE((file.encrypted === true ? 1 : 0) | 0x800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(file.claimedCrc ?? crc32(content), 10)
    common.writeUInt32LE(zip64 ? 0xffffffff : packed.length, 14)
    common.writeUInt32LE(zip64 ? 0xffffffff : size, 18)
    common.writeUInt16LE(name.length, 22)
    const extra = zip64 ? Buffer.concat([u16(1), u16(24), u64(size), u64(packed.length), u64(offset)]) : Buffer.alloc(0)
    directory.push(u32(0x02014b50), u16(20), common.subarray(0, 24), u16(extra.length), Buffer.alloc(10))
    directory.push(u32(zip64 ? 0xffffffff : offset), name, extra)
    parts.push(u32(0x04034b50), common, name, packed)
    offset += 30 + name.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end64 = Buffer.concat([u32(0x06064b50), u64(44), Buffer.alloc(28), u64(central.length), u64(offset)])
  const locator = Buffer.concat([u32(0x07064b50), u32(0), u64(offset + central.length), u32(1)])
  const start = zip64 ? 0xffffffff : offset
  const end = [u32(0x06054b50), u32(0), u16(files.length), u16(files.length), u32(central.length), u32(start), u16(0)]
  return Buffer.concat([...parts, central, ...(zip64 ? [end64, locator] : []), ...end])
}

export interface DocxParts {
  /** Inside `<w:body>`. */
  readonly body: string
  /** Inside `<w:styles>`. */
  readonly styles?: string
  /** Inside `<w:footnotes>`. */
  readonly footnotes?: string
  /** Inside `<w:numbering>`. */
  readonly numbering?: string
  readonly more?: readonly ZipFile[]
}

/** A Word document made of its parts. */
export function makeDocx({ body, styles = '', footnotes, numbering, more = [] }: DocxParts): Buffer {
  return makeZip(docxFiles({ body, styles, more, ...(footnotes && { footnotes }), ...(numbering && { numbering }) }))
}

export function docxFiles({ body, styles = '', footnotes, numbering, more = [] }: DocxParts): readonly ZipFile[] {
  const relations = ['styles', 'footnotes', 'numbering']
    .map((type) => `<Relationship Id="r-${type}" Type="${office}/${type}" Target="${type}.xml"/>`)
    .concat(`<Relationship Id="r-image" Type="${office}/image" Target="media/image1.png"/>`)
  return [
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${packages}/content-types"><Default Extension="png" ContentType="image/png"/></Types>`
    },
    {
      name: '_rels/.rels',
      content: `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`
    },
    {
      name: 'word/_rels/document.xml.rels',
      content: `<Relationships xmlns="${packages}/relationships">${relations.join('')}</Relationships>`
    },
    { name: 'word/document.xml', content: part('document', `<w:body>${body}</w:body>`) },
    { name: 'word/styles.xml', content: part('styles', styles) },
    ...(footnotes === undefined ? [] : [{ name: 'word/footnotes.xml', content: part('footnotes', footnotes) }]),
    ...(numbering === undefined ? [] : [{ name: 'word/numbering.xml', content: part('numbering', numbering) }]),
    { name: 'word/media/image1.png', content: 'no picture' },
    ...more
  ]
}

/** A paragraph. @param styleId of its style */
export function paragraph(text: string, styleId?: string, properties = ''): string {
  const named = styleId === undefined ? '' : `<w:pStyle w:val="${styleId}"/>`
  return `<w:p><w:pPr>${named}${properties}</w:pPr>${run(text)}</w:p>`
}

export function run(text: string): string {
  return `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
}

/** A definition of a paragraph style. */
export function style(id: string, name: string, more = ''): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const drawing = 'http://schemas.openxmlformats.org/drawingml/2006'
const namespaces = [
  `xmlns:w="${word}" xmlns:r="${office}" xmlns:a="${drawing}/main" xmlns:pic="${drawing}/picture"`,
  `xmlns:wp="${drawing}/wordprocessingDrawing" xmlns:v="urn:schemas-microsoft-com:vml"`,
  `xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
].join(' ')

function part(element: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:${element} ${namespaces}>${content}</w:${element}>`
}

function u16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16LE(value)
  return buffer
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}

function u64(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
