import { AppError } from '@oncall-agent/api-contracts'
import type { DocumentFormat } from './extracted-document.ts'
import { unreadable } from '../unreadable.ts'

const formats: Readonly<Record<string, DocumentFormat>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  txt: 'text',
  text: 'text',
  pdf: 'pdf'
}

/** First bytes of kinds of files that turn up under a wrong name, and what to call them. */
const signatures: readonly { readonly what: string; readonly bytes: readonly number[] }[] = [
  { what: 'a ZIP archive (a Word document is one too)', bytes: [0x50, 0x4b, 0x03, 0x04] },
  { what: 'an old Office document', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { what: 'a PNG picture', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG picture', bytes: [0xff, 0xd8, 0xff] },
  { what: 'a GIF picture', bytes: [0x47, 0x49, 0x46, 0x38] },
  { what: 'a gzip archive', bytes: [0x1f, 0x8b] },
  { what: 'a program', bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { what: 'an SQLite database', bytes: [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66] },
  { what: 'an RTF document', bytes: [0x7b, 0x5c, 0x72, 0x74, 0x66] }
]

/** Readers accept a PDF header anywhere in the first KiB. */
const pdfHeaderWindow = 1024

export const supportedExtensions: readonly string[] = Object.keys(formats).map((extension) => `.${extension}`)

/** The format that a file name promises, or nothing when its type is not read here. */
export function formatOfName(name: string): DocumentFormat | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : formats[extension]
}

export function notSupported(name: string): AppError {
  const extension = /\.[^./\\]+$/.exec(name)?.[0]
  const type = extension === undefined ? 'files without an extension are' : `${extension} files are`
  return new AppError('UNSUPPORTED_MEDIA_TYPE', {
    operation: 'read document',
    subject: name,
    message: `${name}: ${type} not supported`,
    hint: `Supported are ${supportedExtensions.join(', ')}.`,
    details: { file: name, supported: supportedExtensions }
  })
}

/**
 * The format of a document, from its name and proved by its bytes.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, DOCUMENT_UNREADABLE (`empty`, `wrong-extension`)
 */
export function sniffFormat(name: string, bytes: Uint8Array): DocumentFormat {
  const promised = formatOfName(name)
  if (promised === undefined) throw notSupported(name)
  if (bytes.length === 0) throw unreadable(name, 'empty', 'is empty')

  const found = contentKind(bytes)
  if (promised === 'pdf' && found !== 'a PDF') {
    const really = found === undefined ? 'does not start like one' : `holds ${found}`
    throw unreadable(name, 'wrong-extension', `is named like a PDF but ${really}`, {
      hint: 'Open it in a viewer: a download may have saved an error or login page instead.'
    })
  }
  if (promised !== 'pdf' && found !== undefined) {
    throw unreadable(name, 'wrong-extension', `is named like a text file but holds ${found}`, {
      hint: found === 'a PDF' ? 'Rename it to end in .pdf.' : 'Convert it to Markdown, plain text or PDF.'
    })
  }
  return promised
}

function contentKind(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, pdfHeaderWindow)).toString('latin1')
  // In a text file "%PDF-" further on is a quotation; as its very beginning it is not.
  if (head.startsWith('%PDF-') || (head.includes('%PDF-') && !isText(bytes))) return 'a PDF'
  const known = signatures.find((signature) => signature.bytes.every((byte, at) => bytes[at] === byte))
  if (known !== undefined) return known.what
  return /^(?:\xEF\xBB\xBF)?\s*(?:<!doctype\s+html|<html[\s>])/i.test(head) ? 'an HTML page' : undefined
}

/** No control bytes but white space in the beginning. */
function isText(bytes: Uint8Array): boolean {
  return bytes.subarray(0, pdfHeaderWindow).every((byte) => byte >= 0x20 || byte === 9 || byte === 10 || byte === 13)
}
