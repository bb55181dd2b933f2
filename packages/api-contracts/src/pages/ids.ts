import { z } from 'zod'

/** What may be looked up as an id. Ids are made by the server; what holds these characters never is one. */
export const idSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}/\\]+$/u, 'must not hold slashes or control characters')

export const idParamsSchema = z.strictObject({ id: idSchema }).readonly()

/** A name that people gave: trimmed, one line, composed (NFC), so that what looks the same is the same. */
export const nameSchema = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .refine((name) => name.isWellFormed(), 'must not hold half a character')
  .regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'must not hold control characters')

/** Milliseconds since the epoch. */
export const timeSchema = z.number().min(0)
