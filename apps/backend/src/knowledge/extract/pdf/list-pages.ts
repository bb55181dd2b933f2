/** Page numbers for a person: `page 3`, `pages 1–4, 7`. @param pages ascending */
export function listPages(pages: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const page of pages) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === page - 1) last[1] = page
    else ranges.push([page, page])
  }
  const words = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ')
  return pages.length === 1 ? `page ${words}` : `pages ${words}`
}
