import type { KeptResults } from '../answer/kept-results.ts'
import type { AgentTool } from './agent-tool.ts'

/** The rest of a result that was too long to show at once. */
export function createReadMore(results: KeptResults, pageTokens: number): AgentTool {
  return {
    name: 'read_more',
    description:
      'Reads on in a long result of an earlier call of this turn, or in a long question. ' +
      'Call it with exactly the values that the shortened text names.',
    inputSchema: {
      type: 'object',
      properties: {
        result: { type: 'string', maxLength: 100, description: 'The name of the result.' },
        offset: { type: 'integer', minimum: 0, description: 'The character to go on from.' }
      },
      required: ['result', 'offset'],
      additionalProperties: false
    },
    permission: 'allow',
    call: async (input) => {
      // Checked against the schema before.
      const page = input as { readonly result: string; readonly offset: number }
      return { text: results.page(page, pageTokens), page }
    }
  }
}
