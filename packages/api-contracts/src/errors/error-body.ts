import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from './catalogue.ts'

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]

/** The body of every answer that is not a success, on every route. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    /** Safe to show: the catalogue's, or one that says which field of the request or which part is at fault. */
    message: z.string(),
    /** The `x-request-id` of the answer, and of every log line of the request. */
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()).optional()
  })
})

export type ErrorBody = z.infer<typeof errorBodySchema>
