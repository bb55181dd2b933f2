import { AppError } from '@oncall-agent/api-contracts'
import mammoth from 'mammoth'
import { unreadable } from '../../unreadable.ts'
import { onlyFirstHeading } from '../block-writer.ts'
import { type Extraction, noAttributes } from '../extracted-document.ts'
import { writeBlocks } from '../html/extract-html.ts'
import { type HtmlParent, attributeOf, elementsBelow, textBelow } from '../html/html-tree.ts'
import { parseHtml } from '../html/parse-html.ts'
import { DocxParts, damaged } from './docx-parts.ts'
import { styleMapOf, titleClass } from './docx-styles.ts'

/**
 * The text of a Word document: headings by style, lists, tables, code, text boxes, notes at the end. Pictures and
 * equations are not read; how many there are is said in a warning.
 * @throws AppError DOCUMENT_UNREADABLE (`no-text`, `docx-damaged`, `docx-encrypted`, `docx-unsafe`, `unpacks-too-large`,
 *   `too-complex`), PAYLOAD_TOO_LARGE
 */
export async function extractDocx(bytes: Uint8Array, name: string, maxCharacters: number): Promise<Extraction> {
  const { html, pictures, equations } = await convertToHtml(new DocxParts(bytes, name), name)
  const document = parseHtml(html, { name, isXml: false })
  const written = writeBlocks(bodyOf(document), { name, maxCharacters, leaveOut: () => false })
  if (written.blocks.length === 0 && pictures > 0) throw onlyPictures(name, pictures)
  const title = titleOf(document) ?? onlyFirstHeading(written.blocks)
  const warnings = [notRead(pictures, 'picture'), notRead(equations, 'equation')]
  return {
    ...written,
    ...(title === undefined ? {} : { title }),
    attributes: noAttributes,
    metadata: {},
    warnings: warnings.filter((warning) => warning !== undefined)
  }
}

interface ConvertedDocx {
  readonly html: string
  readonly pictures: number
  readonly equations: number
}

async function convertToHtml(parts: DocxParts, name: string): Promise<ConvertedDocx> {
  let pictures = 0
  const styles = parts.exists('word/styles.xml') ? parts.read('word/styles.xml') : ''
  // The library opens archives itself, without bounds; it also takes one that is open: whatever has these two methods.
  const file = { exists: (part: string) => parts.exists(part), read: async (part: string) => parts.read(part) }
  try {
    const { value, messages } = await mammoth.convertToHtml({ file } as unknown as { buffer: Buffer }, {
      styleMap: [...styleMapOf(styles)],
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => {
        pictures++
        return { src: '' }
      })
    })
    const equations = messages.filter(({ message }) => /oMath(?:Para)?$/.test(message)).length
    return { html: value, pictures, equations }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    if (cause instanceof RangeError) throw damaged(name, 'its elements are nested too deeply', cause)
    throw damaged(name, 'its structure cannot be read', cause)
  }
}

function onlyPictures(name: string, pictures: number): Error {
  const hint = 'Run text recognition (OCR) on them first, or describe them in words.'
  return unreadable(
    name,
    'no-text',
    `has no text: ${pictures === 1 ? 'its picture is' : 'its pictures are'} all it holds`,
    {
      hint
    }
  )
}

function bodyOf(document: HtmlParent): HtmlParent {
  return [...elementsBelow(document)].find(({ tagName }) => tagName === 'body') ?? document
}

/** The paragraph in the style "Title", if there is one. */
function titleOf(document: HtmlParent): string | undefined {
  const [only, ...more] = [...elementsBelow(document)].filter((element) => attributeOf(element, 'class') === titleClass)
  const title = only === undefined || more.length > 0 ? '' : textBelow(only).replace(/\s+/g, ' ').trim()
  return title === '' ? undefined : title
}

function notRead(count: number, what: string): string | undefined {
  if (count === 0) return undefined
  return count === 1 ? `1 ${what} was not read` : `${count.toLocaleString('en-US')} ${what}s were not read`
}
