import {
  invalidInput,
  type Issue,
  type NewPrompt,
  type PromptExport,
  type PromptImport,
  type PromptImportResult
} from '@oncall-agent/api-contracts'
import type { BusinessTables } from '../../store/index.ts'
import { builtInPrompts } from './built-in-prompts.ts'
import { PromptFileFault, readPromptFile, writePromptFile } from './prompt-file.ts'
import { expectRoom, type PromptParts, type Shelf } from './prompt-parts.ts'
import { insertOwn } from './write-prompts.ts'

/** Characters of a file's name that an answer repeats. */
const SHOWN_NAME_LIMIT = 100

/**
 * Takes all files or none. What is there already in the same words, own or built in, stays as it is.
 * @throws AppError VALIDATION_FAILED that names each file that can not be taken, and why
 */
export async function importPrompts(
  parts: PromptParts,
  shelf: Shelf,
  files: PromptImport['files']
): Promise<PromptImportResult> {
  const prompts = readAll(files)
  const now = parts.now()
  return parts.store.transaction(async (tables) => {
    const result = { created: 0, updated: 0, unchanged: 0 }
    for (const prompt of prompts) result[await takeOne(tables, shelf, { prompt, now })] += 1
    await expectRoom(tables, shelf, 0)
    return result
  })
}

async function takeOne(
  tables: BusinessTables,
  shelf: Shelf,
  { prompt, now }: { readonly prompt: NewPrompt; readonly now: number }
): Promise<keyof PromptImportResult> {
  const own = await tables.prompts.named(shelf, prompt.name)
  const present = own ?? builtInPrompts(shelf.kind).get(prompt.name)
  const { description, content } = prompt
  if (present?.description === description && present.content === content) return 'unchanged'
  if (own === undefined) {
    await insertOwn(tables, shelf, { prompt, now })
    return 'created'
  }
  await tables.prompts.addVersion(own.id, own.version, {
    description,
    content,
    createdBy: shelf.userId,
    createdAt: now
  })
  return 'updated'
}

function readAll(files: PromptImport['files']): readonly NewPrompt[] {
  const issues: Issue[] = []
  const fileOf = new Map<string, string>()
  const prompts: NewPrompt[] = []
  for (const [position, { fileName, content }] of files.entries()) {
    const shown = shownName(fileName)
    try {
      const prompt = readPromptFile(content)
      const other = fileOf.get(prompt.name)
      if (other !== undefined) throw new PromptFileFault(`has the name ${prompt.name}, as ${other} has`)
      fileOf.set(prompt.name, shown)
      prompts.push(prompt)
    } catch (thrown) {
      if (!(thrown instanceof PromptFileFault)) throw thrown
      issues.push({ field: `files.${position}`, problem: `${shown} ${thrown.message}` })
    }
  }
  if (issues.length > 0) throw invalidInput(issues, { operation: 'import prompts' })
  return prompts
}

/** A file's name is somebody else's text: without what could turn the line or hide in it. */
function shownName(fileName: string): string {
  const plain = fileName.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
  return `"${plain.length > SHOWN_NAME_LIMIT ? `${plain.slice(0, SHOWN_NAME_LIMIT).toWellFormed()}…` : plain}"`
}

/** Own ones and the built-in ones beside them, by name. */
export async function exportPrompts({ store }: PromptParts, shelf: Shelf): Promise<PromptExport> {
  const own = await store.prompts.heads(shelf)
  const loaded = await store.prompts.several(
    shelf,
    own.map(({ id }) => id)
  )
  const all = new Map<string, NewPrompt>(builtInPrompts(shelf.kind))
  for (const prompt of loaded) all.set(prompt.name, prompt)
  const byName = [...all.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1))
  return { files: byName.map((prompt) => ({ fileName: `${prompt.name}.md`, content: writePromptFile(prompt) })) }
}
