/** A file in an archive, as the archive's directory describes it. Nothing here is proved: sizes are claims. */
export interface ZipEntry {
  /** A key to look the file up by; never a path. */
  readonly name: string
  /** 0 is stored, 8 is deflated. */
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc32: number
  readonly packedSize: number
  readonly size: number
  readonly headerOffset: number
}

export type ZipDirectory =
  | { readonly kind: 'entries'; readonly entries: readonly ZipEntry[] }
  | { readonly kind: 'damaged'; readonly problem: string }

/** Word writes a few dozen files and one more for each picture. */
const maxEntries = 10_000
const endLength = 22
const maxCommentLength = 0xffff
const entryLength = 46
const signature = { end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50, entry: 0x02014b50 }
/** Says that the number stands in the 64-bit extra field. */
const see64 = 0xffffffff

/** Reads the directory of a ZIP archive, also of 64-bit ones. Inflates nothing; work is bounded by 10,000 entries. */
export function readZipDirectory(bytes: Uint8Array): ZipDirectory {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(data)
  if (end < 0) return { kind: 'damaged', problem: 'its directory is missing, so it may be incomplete' }
  const entries: ZipEntry[] = []
  try {
    let at = directoryStart(data, end)
    while (at + entryLength <= end && data.readUInt32LE(at) === signature.entry) {
      if (entries.length === maxEntries)
        return { kind: 'damaged', problem: `it holds more than ${maxEntries.toLocaleString('en-US')} files` }
      entries.push(readEntry(data, at))
      at += entryLength + data.readUInt16LE(at + 28) + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32)
    }
  } catch (error) {
    // Offsets that lead out of the file, or are no numbers of this world.
    if (error instanceof RangeError) return { kind: 'damaged', problem: 'its directory is broken' }
    throw error
  }
  return { kind: 'entries', entries }
}

/** The record stands at the end, before a comment of up to 64 KiB. */
function findEnd(data: Buffer): number {
  const first = Math.max(0, data.length - endLength - maxCommentLength)
  for (let at = data.length - endLength; at >= first; at--) {
    if (data.readUInt32LE(at) === signature.end && at + endLength + data.readUInt16LE(at + 20) <= data.length) return at
  }
  return -1
}

function directoryStart(data: Buffer, end: number): number {
  const start = data.readUInt32LE(end + 16)
  const locator = end - 20
  if (locator < 0 || data.readUInt32LE(locator) !== signature.locator64) return start
  const end64 = Number(data.readBigUInt64LE(locator + 8))
  return data.readUInt32LE(end64) === signature.end64 ? Number(data.readBigUInt64LE(end64 + 48)) : start
}

function readEntry(data: Buffer, at: number): ZipEntry {
  const nameLength = data.readUInt16LE(at + 28)
  const name = data.toString('utf8', at + entryLength, at + entryLength + nameLength)
  const claimed = [data.readUInt32LE(at + 24), data.readUInt32LE(at + 20), data.readUInt32LE(at + 42)]
  const extra = at + entryLength + nameLength
  const [size, packedSize, headerOffset] = widen(data, claimed, extra, extra + data.readUInt16LE(at + 30))
  return {
    // Some writers use the separators of their system.
    name: name.replaceAll('\\', '/'),
    method: data.readUInt16LE(at + 10),
    isEncrypted: (data.readUInt16LE(at + 8) & 1) === 1,
    crc32: data.readUInt32LE(at + 16),
    packedSize: packedSize!,
    size: size!,
    headerOffset: headerOffset!
  }
}

/** Numbers that did not fit are in the extra field with id 1, in their order. */
function widen(data: Buffer, numbers: readonly number[], from: number, to: number): readonly number[] {
  if (!numbers.includes(see64)) return numbers
  for (let at = from; at + 4 <= to; at += 4 + data.readUInt16LE(at + 2)) {
    if (data.readUInt16LE(at) !== 1) continue
    let next = at + 4
    return numbers.map((number) => {
      if (number !== see64) return number
      next += 8
      return Number(data.readBigUInt64LE(next - 8))
    })
  }
  return numbers
}
