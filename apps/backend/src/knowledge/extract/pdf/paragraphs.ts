import { median } from './columns.ts'
import { type LinePiece, onOneLine } from './text-lines.ts'

/** Lines further apart than this, in usual line distances of the page, are not of one paragraph. */
const paragraphGap = 1.4
/** A change of the font's height by this factor begins a paragraph: a heading, a footnote. */
const sizeChange = 1.15

/** In heights of the font. */
const indent = 0.8

const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFF60]`
const betweenCjk = new RegExp(`${cjk}$`, 'u')
const startsCjk = new RegExp(`^${cjk}`, 'u')

/** Joins lines to paragraphs; a word that was hyphenated at a line's end becomes whole again. */
export function toParagraphs(pieces: readonly LinePiece[]): readonly string[] {
  const distance = usualDistance(pieces)
  const paragraphs: string[] = []
  let text = ''
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1]
    if (
      before !== undefined &&
      (onOneLine(before, piece) ? piece.start < before.end : beginsParagraph(before, piece, distance))
    ) {
      paragraphs.push(text)
      text = ''
    }
    text = text === '' ? piece.text : joinLines(text, piece.text)
  }
  return [...paragraphs, text].map((paragraph) => normaliseForms(paragraph)).filter((paragraph) => paragraph !== '')
}

function usualDistance(pieces: readonly LinePiece[]): number {
  const distances = pieces.flatMap((piece, index) => {
    const before = pieces[index - 1]
    const distance = before === undefined ? 0 : before.baseline - piece.baseline
    return distance > piece.size / 2 ? [distance] : []
  })
  return median(distances)
}

function beginsParagraph(before: LinePiece, piece: LinePiece, usual: number): boolean {
  const distance = before.baseline - piece.baseline
  const ratio = piece.size / before.size
  // A step upwards is the next column; the page's usual distance may be that of another font.
  return (
    distance < 0 ||
    isIndented(before, piece) ||
    distance > Math.max(usual, piece.size) * paragraphGap ||
    ratio > sizeChange ||
    ratio < 1 / sizeChange
  )
}

/** A first line set in, behind one that ended its sentence. */
function isIndented(before: LinePiece, piece: LinePiece): boolean {
  return piece.start - before.start > piece.size * indent && /[.!?:。！？：]["”’）)]?$/.test(before.text)
}

function joinLines(text: string, line: string): string {
  if (/\p{Ll}[-\u2010]$/u.test(text) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line
  if (/[-\u2010/]$/.test(text) || (betweenCjk.test(text) && startsCjk.test(line))) return text + line
  return `${text} ${line}`
}

/** Ligatures, presentation forms and radicals as the letters they stand for; nothing else is changed. */
function normaliseForms(text: string): string {
  return text
    .replace(/[\uFB00-\uFB4F\uFB50-\uFDFF\uFE70-\uFEFC\u2E80-\u2FDF\uF900-\uFAFF]/g, (form) => form.normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
}
