/** Below this line a generated file is a person's; a new report keeps it. */
export const handwrittenMark = '<!-- Written by hand from here on; kept when the report is made again. -->'

/** What a person wrote into the file that a report replaces, mark included; '' for nothing. */
export function handwrittenPart(previous: string): string {
  const at = previous.indexOf(handwrittenMark)
  return at < 0 ? '' : previous.slice(at).trimEnd()
}
