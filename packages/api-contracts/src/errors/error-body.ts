import { z } from 'zod'
import { type ErrorCode, errorCatalogue } from './catalogue.ts'

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]]

/** The body of every answer that is not a success, on every route. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    /** Safe to show; fixed for a code unless it names a field of the caller's own request. */
    message: z.string(),
    /** The `x-request-id` of the answer, and of every log line of the request. */
    requestId: z.string(),
    details: z.record(z.string(), z.unknown()).optional()
  })
})

export type ErrorBody = z.infer<typeof errorBodySchema>
