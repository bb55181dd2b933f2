import { AppError } from '@oncall-agent/api-contracts'
import { unreadable } from '../unreadable.ts'
import { type ContentKind, contentKindOf, hasMarkup } from './content-kind.ts'
import type { DocumentFormat } from './extracted-document.ts'

const formats: Readonly<Record<string, DocumentFormat>> = {
  md: 'markdown',
  markdown: 'markdown',
  mdx: 'markdown',
  txt: 'text',
  text: 'text',
  pdf: 'pdf',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  docx: 'docx'
}

/** What a name promises, in words; and what a file is renamed to when it is that. */
const promises: Readonly<Record<DocumentFormat, string>> = {
  markdown: 'a text file',
  text: 'a text file',
  pdf: 'a PDF',
  html: 'an HTML page',
  docx: 'a Word document'
}
const renaming: Readonly<Partial<Record<ContentKind['kind'], string>>> = {
  pdf: 'Rename it to end in .pdf.',
  html: 'Rename it to end in .html.',
  docx: 'Rename it to end in .docx.',
  text: 'Rename it to end in .txt or .md.'
}
/** Types that a word processor turns into one that is read here. */
const wordProcessing = /\.(?:doc|dot|docm|dotx|dotm|rtf|odt|wps|pages)$/i

export const supportedExtensions: readonly string[] = Object.keys(formats).map((extension) => `.${extension}`)

/** The format that a file name promises, or nothing when its type is not read here. */
export function formatOfName(name: string): DocumentFormat | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase()
  return extension !== undefined && Object.hasOwn(formats, extension) ? formats[extension] : undefined
}

export function notSupported(name: string): AppError {
  const extension = /\.[^./\\]+$/.exec(name)?.[0]
  const type = extension === undefined ? 'files without an extension are' : `${extension} files are`
  const first = wordProcessing.test(name) ? 'Open it in a word processor and save it as .docx. ' : ''
  return new AppError('UNSUPPORTED_MEDIA_TYPE', {
    operation: 'read document',
    subject: name,
    message: `${name}: ${type} not supported`,
    hint: `${first}Supported are ${supportedExtensions.join(', ')}.`,
    details: { file: name, supported: supportedExtensions }
  })
}

/**
 * The format of a document, from its name and proved by its bytes.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, DOCUMENT_UNREADABLE (`empty`, `wrong-extension`, `docx-encrypted`)
 */
export function sniffFormat(name: string, bytes: Uint8Array): DocumentFormat {
  const promised = formatOfName(name)
  if (promised === undefined) throw notSupported(name)
  if (bytes.length === 0) throw unreadable(name, 'empty', 'is empty')

  const found = contentKindOf(bytes)
  if (!isKept(promised, found, bytes)) throw brokenPromise(name, promised, found)
  return promised
}

function isKept(promised: DocumentFormat, found: ContentKind, bytes: Uint8Array): boolean {
  if (promised === 'pdf' || promised === 'docx') return found.kind === promised
  if (promised === 'html') return found.kind === 'html' || (found.kind === 'text' && hasMarkup(bytes))
  return found.kind === 'text'
}

function brokenPromise(name: string, promised: DocumentFormat, found: ContentKind): AppError {
  if (promised === 'docx' && found.what.startsWith('a password-protected')) {
    return unreadable(name, 'docx-encrypted', 'is password-protected', { hint: found.hint })
  }
  const isPlain = found.kind === 'text' && promised !== 'html'
  const really = isPlain ? 'does not start like one' : `holds ${found.what}`
  return unreadable(name, 'wrong-extension', `is named like ${promises[promised]} but ${really}`, {
    hint: wayOut(promised, found)
  })
}

function wayOut(promised: DocumentFormat, found: ContentKind): string {
  if (found.hint !== undefined) return found.hint
  const isDownload = promised === 'pdf' || promised === 'docx'
  if (isDownload && (found.kind === 'html' || found.kind === 'text'))
    return 'Open it in a viewer: a download may have saved an error or login page instead.'
  return renaming[found.kind] ?? 'Convert it to Markdown, plain text, HTML, Word (.docx) or PDF.'
}
