/** A grapheme is looked for among so many characters around the cut; there are no longer ones outside of jokes. */
const LONGEST_GRAPHEME = 64

/**
 * The beginning of a text: at most `limit` UTF-16 units, and never a part of what a reader sees as one character.
 * A longer text ends with an ellipsis, which is within the limit.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = limit - 1
  const from = Math.max(0, room - LONGEST_GRAPHEME)
  const around = text.slice(from, room + LONGEST_GRAPHEME)
  let end = from
  for (const { index, segment } of new Intl.Segmenter().segment(around)) {
    const after = from + index + segment.length
    if (after > room) break
    end = after
  }
  return `${text.slice(0, end)}…`
}
