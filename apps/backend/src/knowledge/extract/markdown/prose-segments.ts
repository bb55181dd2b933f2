/** A run of lines that is either a code fence or not. */
export interface Segment {
  readonly kind: 'prose' | 'fence'
  readonly text: string
}

/** A fence may stand behind quote marks and list markers. */
const fenceStart = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/

/**
 * Cuts a Markdown source at its code fences; the texts joined give the source again. A fence ends at a line of at
 * least as many of its own characters, so a longer fence may hold a shorter one.
 */
export function proseSegments(source: string): readonly Segment[] {
  const segments: Segment[] = []
  let lines: string[] = []
  let fence: string | undefined
  const flush = (kind: Segment['kind']): void => {
    if (lines.length > 0) segments.push({ kind, text: lines.join('') })
    lines = []
  }

  for (const line of source.split(/(?<=\n)/)) {
    if (fence === undefined) {
      const start = fenceStart.exec(line.trimEnd())
      // A backtick in the info string makes it inline code.
      if (start !== null && !(start[1]!.startsWith('`') && start[2]!.includes('`'))) {
        flush('prose')
        fence = start[1]!
      }
      lines.push(line)
    } else {
      lines.push(line)
      const end = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/.exec(line.trimEnd())?.[1]
      if (end !== undefined && end.startsWith(fence)) {
        flush('fence')
        fence = undefined
      }
    }
  }
  flush(fence === undefined ? 'prose' : 'fence')
  return segments
}
