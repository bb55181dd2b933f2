import { readZipDirectory } from './docx/zip-directory.ts'

/** What a file's bytes say that it is; `text` also stands for whatever was not recognised. */
export interface ContentKind {
  readonly kind: 'pdf' | 'html' | 'docx' | 'text' | 'other'
  /** In words, with an article. */
  readonly what: string
  /** A way out that is better than the general one. */
  readonly hint?: string
}

/** First bytes of kinds of files that turn up under a wrong name, and what to call them. */
const signatures: readonly { readonly what: string; readonly bytes: readonly number[] }[] = [
  { what: 'a PNG picture', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG picture', bytes: [0xff, 0xd8, 0xff] },
  { what: 'a GIF picture', bytes: [0x47, 0x49, 0x46, 0x38] },
  { what: 'a gzip archive', bytes: [0x1f, 0x8b] },
  { what: 'a program', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { what: 'an SQLite database', bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66] },
  { what: 'an RTF document', bytes: [0x7b, 0x5c, 0x72, 0x74, 0x66] }
]
const zip = [0x50, 0x4b, 0x03, 0x04]
const ole = [0xd0, 0xcf, 0x11, 0xe0]

/** What lies in an archive, by a file that only this kind has. */
const archives: readonly { readonly what: string; readonly holds: RegExp }[] = [
  { what: 'an Excel workbook', holds: /^xl\/workbook\.(?:xml|bin)$/i },
  { what: 'a PowerPoint presentation', holds: /^ppt\/presentation\.xml$/i },
  { what: 'an OpenDocument file', holds: /^META-INF\/manifest\.xml$/ },
  { what: 'an EPUB book', holds: /^META-INF\/container\.xml$/ },
  { what: 'an Apple Pages document', holds: /^Index\/Document\.iwa$/ }
]

/** Readers accept a PDF header anywhere in the first KiB. */
const headLength = 1024
/** Generated pages may begin with long comments. */
const markupWindow = 64 * 1024
const pageStart =
  /^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*(?:<!doctype\s+html|<html[\s>])/i
const markup =
  /<(?:!doctype\s+html|html|head|body|title|meta|div|p|table|h[1-6]|ul|ol|dl|pre|a|b|br|span|section|article|main|center|font|ac:[\w-]+)(?:[\s/][^<]*)?>/i

/** What the bytes of a file are. Reads no more of it than its beginning, and the directory of an archive. */
export function contentKindOf(bytes: Uint8Array): ContentKind {
  const head = Buffer.from(bytes.subarray(0, headLength)).toString('latin1')
  // In a text file "%PDF-" further on is a quotation; as its very beginning it is not.
  if (head.startsWith('%PDF-') || (head.includes('%PDF-') && !isText(bytes))) return { kind: 'pdf', what: 'a PDF' }
  if (startsWith(bytes, zip)) return kindOfArchive(bytes)
  if (startsWith(bytes, ole)) return kindOfOle(bytes)
  const known = signatures.find((signature) => startsWith(bytes, signature.bytes))
  if (known !== undefined) return { kind: 'other', what: known.what }
  // UTF-16 is ASCII with zero bytes in between, as far as tags go.
  return pageStart.test(head.replaceAll('\0', '')) ? { kind: 'html', what: 'an HTML page' } : textKind
}

const textKind: ContentKind = { kind: 'text', what: 'plain text' }

/** True when there is a tag in the beginning; fragments and exports have no `<html>`. */
export function hasMarkup(bytes: Uint8Array): boolean {
  return markup.test(Buffer.from(bytes.subarray(0, markupWindow)).toString('latin1').replaceAll('\0', ''))
}

function kindOfArchive(bytes: Uint8Array): ContentKind {
  const directory = readZipDirectory(bytes)
  if (directory.kind === 'damaged') return { kind: 'other', what: `a damaged ZIP archive (${directory.problem})` }
  const names = directory.entries.map((entry) => entry.name)
  if (names.some((name) => /^word\/document\d*\.xml$/i.test(name))) return { kind: 'docx', what: 'a Word document' }
  const known = archives.find(({ holds }) => names.some((name) => holds.test(name)))
  return { kind: 'other', what: known?.what ?? 'a ZIP archive' }
}

/** Old Office files and encrypted new ones are the same kind of container. */
function kindOfOle(bytes: Uint8Array): ContentKind {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const holds = (stream: string): boolean => data.includes(Buffer.from(stream, 'utf16le'))
  if (holds('EncryptedPackage'))
    return {
      kind: 'other',
      what: 'a password-protected Office document',
      hint: 'Save a copy without a password and index that.'
    }
  if (holds('WordDocument'))
    return { kind: 'other', what: 'an old Word document (.doc)', hint: 'Open it in Word and save it as .docx.' }
  return { kind: 'other', what: 'an old Office document' }
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte)
}

/** No control bytes but white space in the beginning. */
function isText(bytes: Uint8Array): boolean {
  return bytes.subarray(0, headLength).every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13)
}
