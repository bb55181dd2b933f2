import type { Problem } from '../../api/problem.ts'

/** Files of one import, and characters of one file, that the server takes at most. */
export const FILES_LIMIT = 100
export const CHARACTERS_LIMIT = 128_000

/** Why a file cannot be imported, known before it is sent. */
export type FileFault = 'notMarkdown' | 'unreadable' | 'notUtf8' | 'tooLong' | 'empty' | 'twice'

export interface ChosenFile {
  readonly fileName: string
  readonly content: string
  readonly fault: FileFault | null
}

/** Reads files that were chosen; what is no Markdown in UTF-8 is named with its fault, and not sent. */
export async function readChosen(files: readonly File[]): Promise<readonly ChosenFile[]> {
  const read = await Promise.all(files.map(readOne))
  return read.map((file, at) =>
    file.fault === null && read.findIndex(({ fileName }) => fileName === file.fileName) < at
      ? { ...file, fault: 'twice' }
      : file
  )
}

async function readOne(file: File): Promise<ChosenFile> {
  const fileName = file.name
  const refused = (fault: FileFault): ChosenFile => ({ fileName, content: '', fault })
  if (!/\.(md|markdown)$/i.test(fileName)) return refused('notMarkdown')
  // A character is a byte at least: what has four times as many bytes is too long in any writing.
  if (file.size > 4 * CHARACTERS_LIMIT) return refused('tooLong')
  // Deleted or locked since it was chosen.
  const bytes = await file.arrayBuffer().catch(() => null)
  if (bytes === null) return refused('unreadable')
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (content.length > CHARACTERS_LIMIT) return refused('tooLong')
    return content.trim() === '' ? refused('empty') : { fileName, content, fault: null }
  } catch {
    // The decoder throws for one reason only: these bytes are no UTF-8.
    return refused('notUtf8')
  }
}

/** What the server said of each file, by its name. */
export function faultsByFile(problem: Problem, files: readonly ChosenFile[]): ReadonlyMap<string, readonly string[]> {
  const faults = new Map<string, string[]>()
  const { issues } = problem.details
  for (const issue of Array.isArray(issues) ? (issues as readonly unknown[]) : []) {
    const { field, problem: said } = issue as { readonly field?: unknown; readonly problem?: unknown }
    if (typeof field !== 'string' || typeof said !== 'string') continue
    const index = /^files\.(\d+)/.exec(field)?.[1]
    const named = index === undefined ? files.find(({ fileName }) => field.startsWith(fileName)) : files[Number(index)]
    if (named === undefined) continue
    const rest = field
      .slice(index === undefined ? named.fileName.length : `files.${index}`.length)
      .replace(/^[.:\s]+/, '')
    faults.set(named.fileName, [...(faults.get(named.fileName) ?? []), rest === '' ? said : `${rest}: ${said}`])
  }
  return faults
}
