import type { Block, ExtractedText, TableBlock } from '../chunking/index.ts'

interface Line {
  readonly start: number
  readonly end: number
  readonly content: string
}

/** Blocks of simple Markdown, offsets into the source: enough to chunk real files in tests without a parser. */
export function simpleBlocks(text: string): ExtractedText {
  const lines = linesOf(text)
  const blocks: Block[] = []
  let index = 0
  while (index < lines.length) {
    const kind = kindOf(lines[index]!.content)
    let next = index + 1
    if (kind === 'code') {
      const fence = /^\s*(`{3,}|~{3,})/.exec(lines[index]!.content)![1]!
      while (next < lines.length && !lines[next]!.content.trim().startsWith(fence)) next++
      next++
    } else if (kind === 'list-item') {
      next = endOfItem(lines, next)
    } else if (kind !== 'blank' && kind !== 'heading') {
      while (next < lines.length && kindOf(lines[next]!.content) === kind) next++
    }
    if (kind !== 'blank') blocks.push(blockOf(kind, lines.slice(index, next)))
    index = next
  }
  return { text, blocks }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  for (const content of text.split('\n')) {
    lines.push({ start, end: start + content.length, content })
    start += content.length + 1
  }
  return lines
}

type Kind = Block['kind'] | 'blank'

function kindOf(line: string): Kind {
  if (line.trim() === '') return 'blank'
  if (/^#{1,6}\s/.test(line)) return 'heading'
  if (/^\s*(```|~~~)/.test(line)) return 'code'
  if (/^\s*\|/.test(line)) return 'table'
  return /^\s*([-*+]|\d+[.)])\s/.test(line) ? 'list-item' : 'paragraph'
}

/** An item goes on as long as lines are indented, over blank lines too. */
function endOfItem(lines: readonly Line[], from: number): number {
  let end = from
  for (let index = from; index < lines.length; index++) {
    const { content } = lines[index]!
    if (/^\s{2,}\S/.test(content) && kindOf(content) !== 'list-item') end = index + 1
    else if (content.trim() !== '') break
  }
  return end
}

function blockOf(kind: Block['kind'], lines: readonly Line[]): Block {
  const span = { start: lines[0]!.start, end: lines.at(-1)!.end }
  if (kind === 'heading') {
    const [marks, ...words] = lines[0]!.content.split(/\s+/)
    return { kind, level: marks!.length, title: words.join(' '), ...span }
  }
  return kind === 'table' ? tableOf(lines, span) : { kind, ...span }
}

function tableOf(lines: readonly Line[], span: { start: number; end: number }): TableBlock {
  const headerLines = /^[\s|:-]+$/.test(lines[1]?.content ?? '') ? 2 : 0
  const header = { start: span.start, end: headerLines === 0 ? span.start : lines[1]!.end }
  return { kind: 'table', header, rows: lines.slice(headerLines).map(({ start, end }) => ({ start, end })), ...span }
}
