import { readFile } from 'node:fs/promises'
import { setMalformed, setUnreadable } from './set-error.ts'

export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** The lines of a UTF-8 file that are not blank; a byte order mark and carriage returns are dropped. */
export async function readLines(path: string): Promise<readonly Line[]> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw setUnreadable(path, cause)
  })
  return decode(path, bytes)
    .split('\n')
    .map((text, index) => ({ number: index + 1, text: text.endsWith('\r') ? text.slice(0, -1) : text }))
    .filter((line) => line.text.trim() !== '')
}

/** Fatal: a replaced character would be a token that nobody can find. */
function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw setMalformed(path, 0, 'the file is not UTF-8')
  }
}

/** String fields of a JSON object on one line; `required` must be there and not blank, `optional` default to ''. */
export function readFields<Required extends string, Optional extends string = never>(
  path: string,
  line: Line,
  fields: { readonly required: readonly Required[]; readonly optional?: readonly Optional[] }
): Readonly<Record<Required | Optional, string>> {
  const record = parseObject(path, line)
  const values: Record<string, string> = {}
  for (const name of [...fields.required, ...(fields.optional ?? [])]) {
    const value = record[name] ?? ''
    if (typeof value !== 'string') throw setMalformed(path, line.number, `"${name}" is not a string`)
    values[name] = value
  }
  for (const name of fields.required) {
    if (values[name]!.trim() === '') throw setMalformed(path, line.number, `"${name}" is missing or blank`)
  }
  return values as Record<Required | Optional, string>
}

/** One line of a JSON-lines file. */
function parseObject(path: string, line: Line): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch {
    throw setMalformed(path, line.number, 'the line is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw setMalformed(path, line.number, 'the line is not a JSON object')
  }
  return value as Record<string, unknown>
}
