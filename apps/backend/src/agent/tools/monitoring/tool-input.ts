import { invalidInput } from '@oncall-agent/api-contracts'
import type { z } from 'zod'

/**
 * Arguments of a tool, checked here too: whoever calls it need not be the agent.
 * @throws AppError VALIDATION_FAILED that names each field
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw invalidInput(
    result.error.issues.map(({ path, message }) => ({ field: path.join('.') || 'arguments', problem: message }))
  )
}
