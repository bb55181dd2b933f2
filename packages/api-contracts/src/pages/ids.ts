import { z } from 'zod'

/** Ids are made by the server: letters, digits and a few marks. Anything else names nothing. */
export const idSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}/\\]+$/u, 'must not hold slashes or control characters')

export const idParamsSchema = z.strictObject({ id: idSchema }).readonly()

/** A name that people gave: trimmed, one line. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .regex(/^\P{Cc}*$/u, 'must not hold control characters')

/** Milliseconds since the epoch. */
export const timeSchema = z.number().min(0)
