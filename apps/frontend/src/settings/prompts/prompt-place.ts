import { useApi } from '../../api/page-api.ts'

/** Prompts and skills are kept alike; the place is in the page's address and in the server's. */
export type PromptPlace = 'prompts' | 'skills'

/** Text of one version. */
export interface PromptText {
  readonly description: string
  readonly content: string
}

/** The calls of one place. */
export function usePromptCalls(place: PromptPlace) {
  const api = useApi()
  return place === 'prompts'
    ? {
        list: api.prompts,
        one: api.prompt,
        versions: api.promptVersions,
        create: api.createPrompt,
        change: api.changePrompt,
        remove: api.deletePrompt,
        import: api.importPrompts,
        export: api.exportPrompts
      }
    : {
        list: api.skills,
        one: api.skill,
        versions: api.skillVersions,
        create: api.createSkill,
        change: api.changeSkill,
        remove: api.deleteSkill,
        import: api.importSkills,
        export: api.exportSkills
      }
}

export type PromptCalls = ReturnType<typeof usePromptCalls>

export const isSameText = (a: PromptText, b: PromptText): boolean =>
  a.description === b.description && a.content === b.content
