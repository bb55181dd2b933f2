import { invalidInput, nameSchema } from '@oncall-agent/api-contracts'

/**
 * The name of a knowledge base that a command line gives, as it is stored.
 * @throws AppError VALIDATION_FAILED when it is empty (an unset variable, mostly) or no name
 */
export function baseName(given: string): string {
  const { success, data, error } = nameSchema.safeParse(given)
  if (success) return data
  const problem = error.issues[0]?.message ?? 'is no name'
  throw invalidInput([{ field: '--kb', problem }], {
    operation: 'name knowledge base',
    message: `--kb: the name ${problem}.`
  })
}
