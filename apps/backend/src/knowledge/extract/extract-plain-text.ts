import type { TextBlock } from '@oncall-agent/retrieval'
import { type Extraction, noAttributes } from './extracted-document.ts'

/** Plain text: paragraphs are what blank lines separate; nothing is interpreted. */
export function extractPlainText(text: string): Extraction {
  const blocks: TextBlock[] = []
  let start = -1
  let end = 0
  const close = (): void => {
    if (start >= 0) blocks.push({ kind: 'paragraph', start, end })
    start = -1
  }
  for (let line = 0; line < text.length;) {
    const next = text.indexOf('\n', line)
    const lineEnd = next < 0 ? text.length : next
    const words = text.slice(line, lineEnd).trim()
    if (words === '') close()
    else {
      if (start < 0) start = text.indexOf(words, line)
      end = text.indexOf(words, line) + words.length
    }
    line = lineEnd + 1
  }
  close()
  return { text, blocks, attributes: noAttributes, metadata: {}, warnings: [] }
}
