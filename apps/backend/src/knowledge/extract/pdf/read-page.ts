import type { PDFPageProxy } from 'pdfjs-dist'

/** A run of text as it was drawn, in page units, the reading direction turned to run from left to right. */
export interface TextRun {
  readonly text: string
  /** Along the direction of reading. */
  readonly start: number
  readonly end: number
  /** Across it; grows upwards. */
  readonly baseline: number
  /** Height of the font. */
  readonly size: number
  readonly font: string
  /** The line ends after this run. */
  readonly endsLine: boolean
}

interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  readonly fontName: string
  readonly hasEOL: boolean
}

/** All text runs of a page in the order they were drawn; stops early when there are more characters than allowed. */
export async function readPage(page: PDFPageProxy, maxCharacters: number): Promise<readonly TextRun[]> {
  const runs: TextRun[] = []
  let characters = 0
  const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<{ items: readonly object[] }>
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    for (const item of read.value.items) {
      // Marks of tagged content carry no text.
      if (!('str' in item)) continue
      const run = toRun(item as TextItem)
      runs.push(run)
      characters += run.text.length
    }
    if (characters > maxCharacters) {
      await reader.cancel(new Error('more characters than allowed'))
      break
    }
  }
  return runs
}

function toRun(item: TextItem): TextRun {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform
  const length = Math.hypot(a, b) || 1
  // Unit vector of the direction of reading; rotated pages and stamps become ordinary lines by it.
  const [ux, uy] = [a / length, b / length]
  const start = x * ux + y * uy
  return {
    text: item.str,
    start,
    end: start + item.width,
    baseline: y * ux - x * uy,
    size: Math.hypot(c, d) || item.height || 1,
    font: item.fontName,
    endsLine: item.hasEOL
  }
}
