import { invalidInput } from '@oncall-agent/api-contracts'
import type { z } from 'zod'

/** @throws AppError VALIDATION_FAILED that names each field, an unknown one too, and repeats no value */
export function checkInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issues = result.error.issues.flatMap(({ path, message, ...issue }) => {
    if (issue.code !== 'unrecognized_keys') return [{ field: fieldOf(path), problem: message }]
    return issue.keys.map((key) => ({ field: fieldOf([...path, key]), problem: 'is not known here' }))
  })
  throw invalidInput(issues, { operation: 'check arguments' })
}

function fieldOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, 80).toWellFormed() || 'arguments'
}
