import type { Span } from './span.ts'

/** Where running text may be cut, from the best place to the poorest. */
export type CutLevel = 'sentence' | 'line' | 'word'

// Chinese stops end a sentence as they stand; Latin ones only before white space, so that `v1.2` and `a?b=c` stay whole.
// No cut before a mark, which belongs to the stop or space before it.
// One Latin stop at a time: a run of them followed by no space would be scanned again from each of its characters.
const ENDS: Readonly<Record<CutLevel, RegExp>> = {
  sentence: /(?:[。！？；…]+[”’"'）】」』)\]]*\s*|[.!?][”’"')\]]*\s+)(?![\p{M}\p{Emoji_Modifier}\u200c\u200d])/gu,
  line: /\n+(?![\p{M}\p{Emoji_Modifier}\u200c\u200d])/gu,
  word: /(?:\s+|[，、：。！？；]+)(?![\p{M}\p{Emoji_Modifier}\u200c\u200d])/gu
}

/** Cuts a span behind each end of the level. The pieces cover the span without gaps; white space stays with what it ends. */
export function cutAt(text: string, span: Span, level: CutLevel): Span[] {
  const slice = text.slice(span.start, span.end)
  const pieces: Span[] = []
  let start = span.start
  for (const match of slice.matchAll(ENDS[level])) {
    const end = span.start + match.index + match[0].length
    pieces.push({ start, end })
    start = end
  }
  if (start < span.end) pieces.push({ start, end: span.end })
  return pieces
}
