import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewPrompt, PromptKind } from '@oncall-agent/api-contracts'
import { readPromptFile } from './prompt-file.ts'

/** What the id of a built-in one begins with; ids of own ones never hold a colon. */
const BUILT_IN = 'built-in:'

const folders: Readonly<Record<PromptKind, string>> = { prompt: 'prompts', skill: 'skills' }
const read = new Map<PromptKind, ReadonlyMap<string, NewPrompt>>()

/** The prompts or skills that the product brings along, by name; read once. */
export function builtInPrompts(kind: PromptKind): ReadonlyMap<string, NewPrompt> {
  const known = read.get(kind)
  if (known !== undefined) return known
  const folder = join(import.meta.dirname, 'built-in', folders[kind])
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  const prompts = files.toSorted().map((file) => readPromptFile(readFileSync(join(folder, file), 'utf8')))
  const byName: ReadonlyMap<string, NewPrompt> = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  read.set(kind, byName)
  return byName
}

export function builtInId(name: string): string {
  return `${BUILT_IN}${name}`
}

/** The name that a built-in id has; undefined for an own one's id. */
export function builtInName(id: string): string | undefined {
  return id.startsWith(BUILT_IN) ? id.slice(BUILT_IN.length) : undefined
}
