import type { PDFDocumentProxy } from 'pdfjs-dist'
import { BlockWriter } from '../block-writer.ts'
import { cleanCharacters } from '../clean-characters.ts'
import { type Extraction, noAttributes } from '../extracted-document.ts'
import { tooLarge, unreadable } from '../../unreadable.ts'
import { inReadingOrder } from './columns.ts'
import { listPages } from './list-pages.ts'
import { toParagraphs } from './paragraphs.ts'
import { damaged, openPdf } from './pdf-library.ts'
import { readPage } from './read-page.ts'
import { dropRubbish } from './rubbish.ts'
import { toLinePieces } from './text-lines.ts'

/** Pages of which something has to be said. */
interface PageFindings {
  readonly silent: number[]
  readonly lossy: number[]
  readonly broken: number[]
  lastError?: unknown
}

/**
 * The text layer of a PDF as paragraphs with their pages, in reading order.
 * @throws AppError DOCUMENT_UNREADABLE (`pdf-encrypted`, `pdf-damaged`, `pdf-no-text-layer`, `pdf-no-usable-text`),
 *   PAYLOAD_TOO_LARGE
 */
export async function extractPdf(bytes: Uint8Array, name: string, maxCharacters: number): Promise<Extraction> {
  const pdf = await openPdf(bytes, name)
  try {
    const writer = new BlockWriter()
    const findings: PageFindings = { silent: [], lossy: [], broken: [] }
    for (let page = 1; page <= pdf.numPages; page++) {
      writer.startPage(page)
      await extractPage(pdf, page, { writer, findings, maxCharacters })
      if (writer.text.length > maxCharacters)
        throw tooLarge(name, 'characters of text', maxCharacters, writer.text.length)
    }
    if (writer.blocks.length === 0) throw nothingToRead(name, pdf.numPages, findings)
    const title = await readTitle(pdf)
    return {
      text: writer.text,
      blocks: writer.blocks,
      ...(title === undefined ? {} : { title }),
      attributes: noAttributes,
      metadata: {},
      warnings: describe(findings)
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function extractPage(
  pdf: PDFDocumentProxy,
  number: number,
  into: { writer: BlockWriter; findings: PageFindings; maxCharacters: number }
): Promise<void> {
  const { writer, findings } = into
  try {
    const page = await pdf.getPage(number)
    const { runs, lossy } = dropRubbish(await readPage(page, into.maxCharacters))
    page.cleanup()
    const paragraphs = toParagraphs(inReadingOrder(toLinePieces(runs))).map(cleanCharacters)
    for (const paragraph of paragraphs) writer.block('paragraph', paragraph)
    if (lossy) findings.lossy.push(number)
    else if (paragraphs.length === 0) findings.silent.push(number)
  } catch (error) {
    // One broken page does not take the others with it; it is named in the warnings, and all broken is an error.
    findings.broken.push(number)
    findings.lastError = error
  }
}

function nothingToRead(name: string, pages: number, findings: PageFindings): Error {
  if (findings.lossy.length > 0) {
    return unreadable(
      name,
      'pdf-no-usable-text',
      'has text only in fonts without a Unicode map; it would be indexed as rubbish',
      {
        hint: 'Print it to a new PDF with current software, or index the original document.'
      }
    )
  }
  if (findings.broken.length === pages && pages > 0) return damaged(name, findings.lastError)
  return unreadable(name, 'pdf-no-text-layer', 'has no text layer: its pages are pictures (scanned?) or empty', {
    hint: 'Run text recognition (OCR) on it first.'
  })
}

function describe(findings: PageFindings): readonly string[] {
  const sentences: readonly [readonly number[], string][] = [
    [findings.silent, 'no text (a scan, a picture, or empty)'],
    [findings.lossy, 'text in fonts without a Unicode map, which was left out'],
    [findings.broken, 'damaged content, which was left out']
  ]
  return sentences.filter(([pages]) => pages.length > 0).map(([pages, what]) => `${listPages(pages)}: ${what}`)
}

/** The title that the file states, unless it is the leavings of a word processor. */
async function readTitle(pdf: PDFDocumentProxy): Promise<string | undefined> {
  const { info } = await pdf.getMetadata()
  const stated: unknown = (info as Record<string, unknown>).Title
  if (typeof stated !== 'string') return undefined
  const title = cleanCharacters(stated).replace(/\s+/g, ' ').trim()
  const leavings =
    /\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|pdf|qxd|fm|rtf|html?)$|^(?:untitled|microsoft |slide \d|无标题|未命名)/i
  return /\p{L}/u.test(title) && !leavings.test(title) ? title : undefined
}
