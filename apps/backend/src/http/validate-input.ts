import { AppError } from '@oncall-agent/api-contracts'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'

/** Fields named in the message; all of them are in `details.issues`. */
const NAMED_LIMIT = 3

/** Checks a part of a request against its contract; the error names each field and never repeats its value. */
export const validateInput: FastifySchemaCompiler<z.ZodType> = ({ schema }) => {
  return (input) => {
    const result = schema.safeParse(input)
    return result.success ? { value: result.data } : { error: invalid(result.error) }
  }
}

function invalid(error: z.ZodError): AppError {
  const issues = error.issues.map((issue) => ({ field: issue.path.join('.') || 'body', problem: issue.message }))
  const named = issues.slice(0, NAMED_LIMIT).map(({ field, problem }) => `${field}: ${problem}`)
  return new AppError('VALIDATION_FAILED', {
    operation: 'check request',
    subject: issues.map(({ field }) => field).join(', '),
    message: `The request is not valid. ${named.join('; ')}.`,
    details: { issues }
  })
}
