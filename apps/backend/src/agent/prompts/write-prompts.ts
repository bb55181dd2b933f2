import { randomUUID } from 'node:crypto'
import { AppError, type NewPrompt, type Prompt, type PromptChange } from '@oncall-agent/api-contracts'
import type { BusinessTables } from '../../store/index.ts'
import { builtInName, builtInPrompts } from './built-in-prompts.ts'
import { expectRoom, notFound, type PromptParts, type Shelf, shownOwn } from './prompt-parts.ts'

/** @throws AppError CONFLICT when there is an own one of the name; one that is built in gives way */
export async function createPrompt(parts: PromptParts, shelf: Shelf, prompt: NewPrompt): Promise<Prompt> {
  return parts.store.transaction(async (tables) => {
    if ((await tables.prompts.named(shelf, prompt.name)) !== undefined) throw nameTaken(prompt.name)
    await expectRoom(tables, shelf, 1)
    return insertOwn(tables, shelf, { prompt, now: parts.now() })
  })
}

/** A built-in one is changed by making the own one, from version 0. @throws AppError NOT_FOUND, CONFLICT */
export async function changePrompt(
  parts: PromptParts,
  { shelf, id }: { readonly shelf: Shelf; readonly id: string },
  { baseVersion, ...text }: PromptChange
): Promise<Prompt> {
  const now = parts.now()
  return parts.store.transaction(async (tables) => {
    const name = builtInName(id)
    if (name !== undefined) {
      if (!builtInPrompts(shelf.kind).has(name)) throw notFound(id)
      if (baseVersion !== 0 || (await tables.prompts.named(shelf, name)) !== undefined) throw changedMeanwhile(id)
      await expectRoom(tables, shelf, 1)
      return insertOwn(tables, shelf, { prompt: { name, ...text }, now })
    }
    const own = await tables.prompts.find(shelf, id)
    if (own === undefined) throw notFound(id)
    const next = { ...text, createdBy: shelf.userId, createdAt: now }
    if (!(await tables.prompts.addVersion(id, baseVersion, next))) throw changedMeanwhile(id)
    return shownOwn({ ...own, ...text, version: baseVersion + 1, updatedAt: now })
  })
}

/** @throws AppError NOT_FOUND; CONFLICT for a built-in one */
export async function removePrompt({ store }: PromptParts, shelf: Shelf, id: string): Promise<void> {
  const name = builtInName(id)
  if (name !== undefined && builtInPrompts(shelf.kind).has(name)) {
    const message = 'What the product brings along can not be deleted; an own one of the name takes its place.'
    throw new AppError('CONFLICT', { operation: 'delete prompt', subject: id, message })
  }
  if (!(await store.prompts.remove(shelf, id))) throw notFound(id)
}

/** Version 1 of an own one. */
export async function insertOwn(
  { prompts }: BusinessTables,
  shelf: Shelf,
  { prompt, now }: { readonly prompt: NewPrompt; readonly now: number }
): Promise<Prompt> {
  const { name, description, content } = prompt
  const id = randomUUID()
  await prompts.insert(shelf, { id, name }, { description, content, createdBy: shelf.userId, createdAt: now })
  const { tenantId, kind } = shelf
  return shownOwn({ id, tenantId, kind, name, version: 1, description, content, updatedAt: now })
}

function nameTaken(name: string): AppError {
  const message = `There is one of the name ${name} already: change that one, or choose another name.`
  return new AppError('CONFLICT', { operation: 'create prompt', subject: name, message })
}

function changedMeanwhile(id: string): AppError {
  return new AppError('CONFLICT', {
    operation: 'change prompt',
    subject: id,
    message: 'It was changed meanwhile: read the newest version, and change that one.'
  })
}
