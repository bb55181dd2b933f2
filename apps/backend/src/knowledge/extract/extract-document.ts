import { cleanCharacters } from './clean-characters.ts'
import { countLost, decodeText } from './decode-text.ts'
import { extractPlainText } from './extract-plain-text.ts'
import type { DocumentFormat, Extraction } from './extracted-document.ts'
import { extractMarkdown } from './markdown/extract-markdown.ts'
import { extractPdf } from './pdf/extract-pdf.ts'
import { tooLarge } from '../unreadable.ts'

export interface ExtractRequest {
  readonly name: string
  readonly format: DocumentFormat
  readonly bytes: Uint8Array
  readonly maxCharacters: number
}

/**
 * Bytes of a known format to text and blocks.
 * @throws AppError DOCUMENT_UNREADABLE, PAYLOAD_TOO_LARGE
 */
export async function extractDocument({ name, format, bytes, maxCharacters }: ExtractRequest): Promise<Extraction> {
  // A child that reads Markdown all day loads no parser of other formats.
  if (format === 'pdf') return extractPdf(bytes, name, maxCharacters)
  if (format === 'html') return (await import('./html/extract-html.ts')).extractHtml(bytes, name, maxCharacters)
  if (format === 'docx') return (await import('./docx/extract-docx.ts')).extractDocx(bytes, name, maxCharacters)

  const decoded = decodeText(bytes, name).text
  const source = cleanCharacters(decoded)
  if (source.length > maxCharacters) throw tooLarge(name, 'characters of text', maxCharacters, source.length)
  const extraction =
    format === 'markdown' ? extractMarkdown(source, name.toLowerCase().endsWith('.mdx')) : extractPlainText(source)
  const lost = countLost(decoded)
  return lost === 0
    ? extraction
    : { ...extraction, warnings: [...extraction.warnings, `${lost} characters were lost before it came here`] }
}
