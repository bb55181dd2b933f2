/** Graphemes of a title that comes from a question. */
const TITLE_GRAPHEMES = 80
/** UTF-16 units of it: a grapheme may have any number of marks, a title has not. */
const TITLE_UNITS = 200
/** What a title may not hold: controls, and marks that turn the direction of text around. */
const UNSHOWN = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** The first line of a question that says something, shortened to what a list shows. */
export function titleOf(question: string): string {
  const lines = question.split(/[\r\n\u2028\u2029]+/).map((line) => line.replace(UNSHOWN, ' ').trim())
  const line = lines.find((each) => each !== '') ?? ''
  let title = ''
  let graphemes = 0
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (graphemes === TITLE_GRAPHEMES || title.length + segment.length > TITLE_UNITS) break
    title += segment
    graphemes += 1
  }
  return title.trim()
}
