/** A file to be packed. */
export interface PackedFile {
  readonly fileName: string
  readonly content: string
}

const LOCAL = 0x0403_4b50
const CENTRAL = 0x0201_4b50
const END = 0x0605_4b50
/** Version 2.0 of the format, which is what it takes to read folders and plain files. */
const VERSION = 20
/** Flag: names are UTF-8. */
const UTF8 = 0x0800
/** 1 January 1980, where the dates of the format begin: the same files are always the same bytes. */
const DATE = 0x0021

/** Files in one, uncompressed: browsers ask before a page saves several files, and may refuse. */
export function zipFiles(files: readonly PackedFile[]): Blob {
  const encoder = new TextEncoder()
  const bodies: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { fileName, content } of files) {
    const [name, bytes] = [encoder.encode(fileName), encoder.encode(content)]
    const facts = [VERSION, UTF8, 0, 0, DATE]
    const sizes = [crc32(bytes), bytes.length, bytes.length]
    const local = record(LOCAL, facts, sizes, [name.length, 0])
    directory.push(
      record(CENTRAL, [VERSION, ...facts], sizes, [name.length, 0, 0, 0, 0, 0, 0, ...halves(offset)]),
      name
    )
    bodies.push(local, name, bytes)
    offset += local.length + name.length + bytes.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = record(END, [0, 0, files.length, files.length], [size, offset], [0])
  return new Blob([...bodies, ...directory, end], { type: 'application/zip' })
}

const halves = (value: number): readonly number[] => [value & 0xff_ff, value >>> 16]

/** A signature, numbers of 16 bits, of 32, and of 16 again: all records of the format have this shape. */
function record(
  signature: number,
  before: readonly number[],
  words: readonly number[],
  after: readonly number[]
): Uint8Array<ArrayBuffer> {
  const shorts = [...halves(signature), ...before, ...words.flatMap(halves), ...after]
  const view = new DataView(new ArrayBuffer(shorts.length * 2))
  for (const [at, value] of shorts.entries()) view.setUint16(at * 2, value, true)
  return new Uint8Array(view.buffer)
}

/** The checksum of the format, ISO-HDLC: polynomial 0xedb88320, reflected. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0)
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0
}
