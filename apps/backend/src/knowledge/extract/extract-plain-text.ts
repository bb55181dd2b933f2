import type { TextBlock } from '@oncall-agent/retrieval'
import { type Extraction, noAttributes } from './extracted-document.ts'

/** Plain text: paragraphs are what blank lines separate; nothing is interpreted. */
export function extractPlainText(source: string): Extraction {
  const text = source.replace(/[ \t]+$/gm, '')
  const blocks: TextBlock[] = []
  for (const match of text.matchAll(/\S(?:(?!\n[ \t]*\n)[\s\S])*/g)) {
    const content = match[0].trimEnd()
    blocks.push({ kind: 'paragraph', start: match.index, end: match.index + content.length })
  }
  return { text, blocks, attributes: noAttributes, metadata: {}, warnings: [] }
}
