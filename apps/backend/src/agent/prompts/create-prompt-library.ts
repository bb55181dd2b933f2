import type {
  NewPrompt,
  Page,
  Prompt,
  PromptChange,
  PromptExport,
  PromptImport,
  PromptImportResult,
  PromptKind,
  PromptVersion
} from '@oncall-agent/api-contracts'
import type { AnswerLanguage } from '@oncall-agent/retrieval'
import type { Caller } from '../../auth/index.ts'
import type { PageRequest } from '../../store/index.ts'
import type { LoadableSkills } from '../tools/skill-loading.ts'
import { builtInPrompts } from './built-in-prompts.ts'
import { exportPrompts, importPrompts } from './import-prompts.ts'
import { type PromptParts, shelfOf } from './prompt-parts.ts'
import { getPrompt, getVersion, listPrompts, listVersions } from './read-prompts.ts'
import { changePrompt, createPrompt, removePrompt } from './write-prompts.ts'

/** One kind of the two, as a person reads and writes it; everything is the caller's own. Each method throws AppError. */
export interface PromptKindLibrary {
  list(caller: Caller, page: PageRequest): Promise<Page<Prompt>>
  get(caller: Caller, id: string): Promise<Prompt>
  versions(caller: Caller, id: string, page: PageRequest): Promise<Page<PromptVersion>>
  version(caller: Caller, id: string, version: number): Promise<PromptVersion>
  create(caller: Caller, prompt: NewPrompt): Promise<Prompt>
  change(caller: Caller, id: string, change: PromptChange): Promise<Prompt>
  remove(caller: Caller, id: string): Promise<void>
  import(caller: Caller, files: PromptImport): Promise<PromptImportResult>
  export(caller: Caller): Promise<PromptExport>
}

/** What agents are told first, and what they can load; read anew for each turn. */
export interface PromptsForAgents {
  /** The system prompt of the chat: the tenant's own `chat-zh` or `chat-en`, else the built-in one. */
  promptFor(tenantId: string, language: AnswerLanguage): Promise<string>
  /** By name. */
  skillsFor(tenantId: string): Promise<LoadableSkills>
}

export interface PromptLibrary extends PromptsForAgents {
  readonly prompts: PromptKindLibrary
  readonly skills: PromptKindLibrary
}

export function createPromptLibrary(parts: PromptParts): PromptLibrary {
  return {
    prompts: libraryOf(parts, 'prompt'),
    skills: libraryOf(parts, 'skill'),
    promptFor: async (tenantId, language) => (await textOf(parts, { tenantId, kind: 'prompt' }, `chat-${language}`))!,
    skillsFor: async (tenantId) => {
      const shelf = { tenantId, kind: 'skill' } as const
      const lines = new Map([...builtInPrompts('skill').values()].map(({ name, description }) => [name, description]))
      for (const { name, description } of await parts.store.prompts.heads(shelf)) lines.set(name, description)
      const list = [...lines].map(([name, description]) => ({ name, description }))
      return {
        list: list.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
        load: (name) => textOf(parts, shelf, name)
      }
    }
  }
}

async function textOf(
  { store }: PromptParts,
  shelf: { readonly tenantId: string; readonly kind: PromptKind },
  name: string
): Promise<string | undefined> {
  const prompt = (await store.prompts.named(shelf, name)) ?? builtInPrompts(shelf.kind).get(name)
  return prompt?.content
}

function libraryOf(parts: PromptParts, kind: PromptKind): PromptKindLibrary {
  return {
    list: (caller, page) => listPrompts(parts, shelfOf(caller, kind), page),
    get: (caller, id) => getPrompt(parts, shelfOf(caller, kind), id),
    versions: (caller, id, page) => listVersions(parts, { shelf: shelfOf(caller, kind), id }, page),
    version: (caller, id, version) => getVersion(parts, { shelf: shelfOf(caller, kind), id }, version),
    create: (caller, prompt) => createPrompt(parts, shelfOf(caller, kind), prompt),
    change: (caller, id, change) => changePrompt(parts, { shelf: shelfOf(caller, kind), id }, change),
    remove: (caller, id) => removePrompt(parts, shelfOf(caller, kind), id),
    import: (caller, { files }) => importPrompts(parts, shelfOf(caller, kind), files),
    export: (caller) => exportPrompts(parts, shelfOf(caller, kind))
  }
}
