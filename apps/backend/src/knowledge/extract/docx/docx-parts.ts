import { crc32, inflateRawSync } from 'node:zlib'
import { unreadable } from '../../unreadable.ts'
import { countElements, slimXml } from './slim-xml.ts'
import { type ZipEntry, readZipDirectory } from './zip-directory.ts'

/** All parts of a document that are read, inflated. Measured: as Word writes them, 2,200,000 characters take 23 MiB. */
const maxUnpackedBytes = 24 * 1024 * 1024
/** What the library's memory grows with: so many take up to 545 MiB. 2,000,000 characters of prose have about 60,000. */
const maxElements = 200_000
const localHeaderLength = 30
const localSignature = 0x04034b50

/**
 * The XML parts of a Word document, inflated one by one as they are asked for, all together within 24 MiB. Pictures
 * and whatever else is in the archive do not exist here. Sizes that the archive claims are not trusted.
 */
export class DocxParts {
  readonly #bytes: Buffer
  readonly #name: string
  readonly #entries: ReadonlyMap<string, ZipEntry>
  #left = maxUnpackedBytes
  #elementsLeft = maxElements

  /** @throws AppError DOCUMENT_UNREADABLE (`docx-damaged`) */
  constructor(bytes: Uint8Array, name: string) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#name = name
    const directory = readZipDirectory(bytes)
    if (directory.kind === 'damaged') throw damaged(name, directory.problem)
    const parts = directory.entries.filter((entry) => /\.(?:xml|rels)$/i.test(entry.name))
    this.#entries = new Map(parts.toReversed().map((entry) => [entry.name, entry]))
  }

  exists(part: string): boolean {
    return this.#entries.has(part)
  }

  /**
   * The text of a part.
   * @throws AppError DOCUMENT_UNREADABLE (`docx-damaged`, `docx-encrypted`, `docx-unsafe`, `unpacks-too-large`)
   */
  read(part: string): string {
    const entry = this.#entries.get(part)
    if (entry === undefined) throw damaged(this.#name, `${part} is missing`)
    if (entry.isEncrypted) throw encrypted(this.#name)
    if (entry.size > this.#left) throw unpacksTooLarge(this.#name)
    const data = this.#inflate(entry)
    this.#left -= data.length
    if (crc32(data) !== entry.crc32) throw damaged(this.#name, `${part} is not what was stored`)
    return this.#bounded(slimXml(this.#withoutTypes(decodeXml(data, part, this.#name), part)))
  }

  #bounded(xml: string): string {
    this.#elementsLeft -= countElements(xml)
    if (this.#elementsLeft >= 0) return xml
    const limit = maxElements.toLocaleString('en-US')
    const hint = 'Split the document, or save it as HTML or PDF.'
    throw unreadable(
      this.#name,
      'too-complex',
      `has more than ${limit} elements: paragraphs, cells, changes of style`,
      {
        hint
      }
    )
  }

  #inflate(entry: ZipEntry): Buffer {
    const packed = this.#packed(entry)
    if (entry.method === 0) {
      if (packed.length > this.#left) throw unpacksTooLarge(this.#name)
      return packed
    }
    if (entry.method !== 8) throw damaged(this.#name, `${entry.name} is packed in an unknown way`)
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(this.#left, 1) })
    } catch (cause) {
      if (cause instanceof RangeError) throw unpacksTooLarge(this.#name, cause)
      throw damaged(this.#name, `${entry.name} cannot be unpacked`, cause)
    }
  }

  #packed({ headerOffset, packedSize, name }: ZipEntry): Buffer {
    const data = this.#bytes
    const isInside = headerOffset + localHeaderLength <= data.length
    if (!isInside || data.readUInt32LE(headerOffset) !== localSignature) throw damaged(this.#name, `${name} is missing`)
    const start =
      headerOffset + localHeaderLength + data.readUInt16LE(headerOffset + 26) + data.readUInt16LE(headerOffset + 28)
    if (start + packedSize > data.length) throw damaged(this.#name, `${name} is cut off`)
    return data.subarray(start, start + packedSize)
  }

  /** Entities that a document type defines can grow without end; no Word document has one. */
  #withoutTypes(xml: string, part: string): string {
    if (!/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return xml
    throw unreadable(this.#name, 'docx-unsafe', `has a document type definition in ${part}, as no Word document does`, {
      hint: 'It may be made to exhaust memory. Open it in Word and save it again.'
    })
  }
}

export function damaged(name: string, problem: string, cause?: unknown): Error {
  const hint = 'Open it in Word and save it again, or fetch it again: the file may be incomplete.'
  return unreadable(name, 'docx-damaged', `is no readable Word document: ${problem}`, { hint, cause })
}

export function encrypted(name: string): Error {
  const hint = 'Save a copy without a password and index that.'
  return unreadable(name, 'docx-encrypted', 'is password-protected', { hint })
}

function unpacksTooLarge(name: string, cause?: unknown): Error {
  const limit = `${maxUnpackedBytes / 1024 / 1024} MiB`
  const hint =
    'Split the document. If it is a small one, it may be made to exhaust memory: save it again from its source.'
  return unreadable(name, 'unpacks-too-large', `holds more than ${limit} of text and markup when unpacked`, {
    hint,
    cause
  })
}

function decodeXml(data: Buffer, part: string, name: string): string {
  const isUtf16 = (data[0] === 0xff && data[1] === 0xfe) || (data[0] === 0xfe && data[1] === 0xff)
  const encoding = isUtf16 ? (data[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(data)
  } catch (cause) {
    throw damaged(name, `${part} is not in the encoding that it should be`, cause)
  }
}
