import { AppError, type NewPrompt, type Prompt, type PromptKind } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { BusinessStore, BusinessTables, PromptShelf, StoredPrompt } from '../../store/index.ts'
import { builtInId, builtInPrompts } from './built-in-prompts.ts'

export interface PromptParts {
  readonly store: Pick<BusinessStore, 'prompts' | 'transaction'>
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Whose prompts or skills. */
export interface Shelf extends PromptShelf {
  /** Who reads or writes, for what is kept with a version. */
  readonly userId: string
}

/** Own ones of a kind: the agent is told of every skill in every turn, and a list must stay readable. */
export const OWN_LIMIT = 200

export function shelfOf({ tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>, kind: PromptKind): Shelf {
  return { tenantId, userId, kind }
}

/** An own one as people see it. */
export function shownOwn({ id, kind, name, description, content, version, updatedAt }: StoredPrompt): Prompt {
  return { id, kind, name, description, content, version, builtIn: builtInPrompts(kind).has(name), updatedAt }
}

/** A built-in one as people see it: version 0, which has no time. */
export function shownBuiltIn(kind: PromptKind, prompt: NewPrompt): Prompt {
  return { id: builtInId(prompt.name), kind, ...prompt, version: 0, builtIn: true, updatedAt: null }
}

/** @throws AppError VALIDATION_FAILED when there are as many already as one may have */
export async function expectRoom(tables: BusinessTables, shelf: Shelf, more: number): Promise<void> {
  if ((await tables.prompts.heads(shelf)).length + more <= OWN_LIMIT) return
  throw new AppError('VALIDATION_FAILED', {
    operation: 'add prompt',
    subject: shelf.kind,
    message: `There may be ${OWN_LIMIT} own ones: delete one that is not used any more.`
  })
}

export function notFound(subject: string): AppError {
  return new AppError('NOT_FOUND', { operation: 'find prompt', subject })
}
