import { AppError } from '@oncall-agent/api-contracts'
import type { AgentTool } from './agent-tool.ts'

/** What an agent may load: a line about each, and the text of one. */
export interface LoadableSkills {
  readonly list: readonly { readonly name: string; readonly description: string }[]
  /** Markdown; undefined when there is none of the name (any more). */
  load(name: string): Promise<string | undefined>
}

/** A named procedure, read when it is needed instead of with every question. */
export function createLoadSkill(skills: LoadableSkills): AgentTool {
  return {
    name: 'load_skill',
    description: 'Loads the whole text of one of the skills (procedures) that are listed in the instructions.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', enum: skills.list.map(({ name }) => name) } },
      required: ['name'],
      additionalProperties: false
    },
    permission: 'allow',
    call: async (input) => {
      // Checked against the schema before.
      const { name } = input as { readonly name: string }
      const text = await skills.load(name)
      if (text !== undefined) return { text }
      throw new AppError('NOT_FOUND', { operation: 'load a skill', subject: name, message: 'There is no such skill.' })
    }
  }
}
