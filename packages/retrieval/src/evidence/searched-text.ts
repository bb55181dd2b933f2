/** Between the headings of a path, outermost first. */
export const HEADING_SEPARATOR = ' > '

export interface SearchedParts {
  readonly title: string
  readonly headingPath: readonly string[]
  readonly content: string
}

/**
 * What both branches search a chunk by: document title, heading path, content, each on its own line.
 * Empty parts are left out, and a title that is also the outermost heading is said once.
 * So the section "Diagnosis" of the page "KubePodCrashLooping" is found by the alert's name.
 */
export function searchedText(parts: SearchedParts): string {
  const title = parts.title.trim()
  const headings = parts.headingPath.map((heading) => heading.trim()).filter((heading) => heading !== '')
  const path = headings[0] === title ? headings.slice(1) : headings
  return [title, path.join(HEADING_SEPARATOR), parts.content].filter((line) => line.trim() !== '').join('\n')
}
