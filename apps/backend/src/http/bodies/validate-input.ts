import { invalidInput } from '@oncall-agent/api-contracts'
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { issuesOf, plainProblem } from './plain-problem.ts'

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
