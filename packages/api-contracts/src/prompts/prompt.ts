import { z } from 'zod'
import { idSchema, timeSchema } from '../pages/ids.ts'

const CONTENT_LIMIT = 64_000
const DESCRIPTION_LIMIT = 500

/** A prompt is what an agent is told first; a skill is a named procedure (Markdown) that it loads when it needs it. */
export const promptKindSchema = z.enum(['prompt', 'skill'])

/** How an agent and a file name it: small letters of ASCII, digits and hyphens. */
export const promptNameSchema = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be words of a-z and 0-9 with hyphens between')
  .max(64, 'must have at most 64 characters')

const textFields = {
  /** What it is for, one line; of a skill it is what the agent chooses by. */
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_LIMIT, `must have at most ${DESCRIPTION_LIMIT} characters`)
    .refine((description) => description.isWellFormed(), 'must not hold half a character')
    .regex(/^[^\p{Cc}\u202A-\u202E\u2066-\u2069]*$/u, 'must be one line'),
  content: z
    .string()
    .refine((content) => content.trim() !== '', 'must not be empty')
    .max(CONTENT_LIMIT, `must have at most ${CONTENT_LIMIT} characters`)
    .refine((content) => content.isWellFormed(), 'must not hold half a character')
}

export const newPromptSchema = z.strictObject({ name: promptNameSchema, ...textFields }).readonly()

/** A new version. `baseVersion` is what was edited: another one meanwhile is a CONFLICT, and loses nothing. */
export const promptChangeSchema = z.strictObject({ ...textFields, baseVersion: z.int().min(0) }).readonly()

export const promptSchema = z
  .object({
    id: z.string(),
    kind: promptKindSchema,
    name: z.string(),
    description: z.string(),
    content: z.string(),
    /** 0 is what the product brings along; the first own version is 1. */
    version: z.int().min(0),
    /** The product brings one of this name along: deleting the own one brings that back. */
    builtIn: z.boolean(),
    updatedAt: timeSchema.nullable()
  })
  .readonly()

export const promptVersionSchema = z
  .object({
    version: z.int().min(0),
    description: z.string(),
    content: z.string(),
    createdBy: z.string().nullable(),
    createdAt: timeSchema.nullable()
  })
  .readonly()

export const promptVersionParamsSchema = z
  .strictObject({ id: idSchema, version: z.string().regex(/^\d{1,9}$/, 'must be a whole number') })
  .readonly()

/** Files of an import: Markdown with `name` and `description` in front matter, as an export writes them. */
export const promptImportSchema = z
  .strictObject({
    files: z
      .array(
        z.strictObject({ fileName: z.string().min(1).max(255), content: z.string().max(2 * CONTENT_LIMIT) }).readonly()
      )
      .min(1, 'must name at least one')
      .max(100, 'must have at most 100')
      .readonly()
  })
  .readonly()

/** All files or none: a file that can not be taken refuses the import and says why, by name. */
export const promptImportResultSchema = z
  .object({ created: z.int().min(0), updated: z.int().min(0), unchanged: z.int().min(0) })
  .readonly()

export const promptExportSchema = z
  .object({ files: z.array(z.object({ fileName: z.string(), content: z.string() }).readonly()).readonly() })
  .readonly()

export type PromptKind = z.output<typeof promptKindSchema>
export type NewPrompt = z.output<typeof newPromptSchema>
export type PromptChange = z.output<typeof promptChangeSchema>
export type Prompt = z.output<typeof promptSchema>
export type PromptVersion = z.output<typeof promptVersionSchema>
export type PromptImport = z.output<typeof promptImportSchema>
export type PromptImportResult = z.output<typeof promptImportResultSchema>
export type PromptExport = z.output<typeof promptExportSchema>
