import { z } from 'zod'
import { timeSchema } from '../pages/ids.ts'

/** Bounds that argon2id and a person can both live with. */
export const PASSWORD_MIN = 10
const PASSWORD_MAX = 256

export const usernameSchema = z
  .string()
  .trim()
  .min(2, 'must have at least 2 characters')
  .max(64, 'must have at most 64 characters')
  .regex(/^[\p{L}\p{N}._@-]+$/u, 'may hold letters, digits and . _ @ - only')

export const newPasswordSchema = z
  .string()
  .min(PASSWORD_MIN, `must have at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `must have at most ${PASSWORD_MAX} characters`)

export const roleSchema = z.enum(['admin', 'member'])

/** A person who can sign in. */
export const userSchema = z
  .object({
    id: z.string(),
    username: z.string(),
    /** An administrator adds people and sees the jobs of all; their documents stay their owners'. */
    role: roleSchema,
    createdAt: timeSchema,
    /** Null while they may sign in. */
    disabledAt: timeSchema.nullable()
  })
  .readonly()

/** The first account, and each that an administrator adds. */
export const newAccountSchema = z.strictObject({ username: usernameSchema, password: newPasswordSchema }).readonly()
export const newUserSchema = z
  .strictObject({ username: usernameSchema, password: newPasswordSchema, role: roleSchema.default('member') })
  .readonly()

/** Not checked for form: what never was a good password is simply not the right one. */
export const credentialsSchema = z
  .strictObject({ username: z.string().max(1_000), password: z.string().max(1_000) })
  .readonly()

export const userChangeSchema = z
  .strictObject({
    role: roleSchema.optional(),
    disabled: z.boolean().optional(),
    password: newPasswordSchema.optional()
  })
  .readonly()

export const passwordChangeSchema = z
  .strictObject({ currentPassword: z.string().max(1_000), newPassword: newPasswordSchema })
  .readonly()

/** Who asks, and what they may do. `local`: no account exists yet, and the caller is on this machine. */
export const meSchema = z
  .object({
    user: userSchema.nullable(),
    /** How they were recognised. */
    via: z.enum(['session', 'api-key', 'local']),
    /** True while no account exists: the page offers to make the first. */
    needsFirstAccount: z.boolean()
  })
  .readonly()

export type User = z.output<typeof userSchema>
export type Role = z.output<typeof roleSchema>
export type NewUser = z.output<typeof newUserSchema>
export type UserChange = z.output<typeof userChangeSchema>
export type PasswordChange = z.output<typeof passwordChangeSchema>
export type Credentials = z.output<typeof credentialsSchema>
export type Me = z.output<typeof meSchema>
