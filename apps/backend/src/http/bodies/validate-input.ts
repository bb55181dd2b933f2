import { AppError } from '@oncall-agent/api-contracts'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { type Issue, issuesOf, plainProblem } from './plain-problem.ts'

/** Fields named in the message; all that are reported are in `details.issues`. */
const NAMED_LIMIT = 3
/** Faults that are reported: the rest of a list of thousands tells nothing new. */
const ISSUES_LIMIT = 50

const wholes: Readonly<Record<string, string>> = { body: 'body', params: 'address', querystring: 'query' }

/** Checks a part of a request against its contract; the error names each field and never repeats its value. */
export const validateInput: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  return (input) => {
    const result = schema.safeParse(input, { error: plainProblem })
    if (result.success) return { value: result.data }
    return { error: invalidInput(issuesOf(result.error, wholes[httpPart] ?? httpPart)) }
  }
}

/** @throws AppError VALIDATION_FAILED */
export function parseForm<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.output<Schema> {
  const result = schema.safeParse(fields, { error: plainProblem })
  if (!result.success) throw invalidInput(issuesOf(result.error, 'form'))
  return result.data
}

export function invalidInput(issues: readonly Issue[]): AppError {
  const named = issues.slice(0, NAMED_LIMIT).map(({ field, problem }) => `${field}: ${problem}`)
  return new AppError('VALIDATION_FAILED', {
    operation: 'check request',
    subject: issues
      .slice(0, ISSUES_LIMIT)
      .map(({ field }) => field)
      .join(', '),
    message: `The request is not valid. ${named.join('; ')}.`,
    details: { issues: issues.slice(0, ISSUES_LIMIT) }
  })
}
