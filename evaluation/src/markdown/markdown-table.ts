/** A GitHub table; cells must hold no pipe. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
