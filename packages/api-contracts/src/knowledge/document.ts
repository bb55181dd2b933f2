import { z } from 'zod'
import { idSchema, nameSchema, timeSchema } from '../pages/ids.ts'
import { pageQuery } from '../pages/page.ts'
import { failureSchema, indexTaskSchema } from './index-task.ts'
import { errorCodes } from '../errors/error-body.ts'

export const documentFormatSchema = z.enum(['markdown', 'text', 'pdf', 'html', 'docx'])

/** `pending`: not indexed yet, or never asked to be. A document that was indexed once stays retrievable while a newer version is pending or has failed. */
export const indexStatusSchema = z.enum(['pending', 'indexing', 'indexed', 'failed'])

export const ERROR_CODES_LIMIT = 64

/** What structured search filters on. */
export const documentAttributesSchema = z
  .object({
    knowledgeType: z.string().nullable(),
    project: z.string().nullable(),
    equipment: z.string().nullable(),
    errorCodes: z.array(z.string()).readonly()
  })
  .readonly()

/** `yes`, `no`, `true`, `false`, `on`, `off`, `1`, `0`: what forms and scripts send. */
const flagSchema = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', 'yes', 'no', 'on', 'off', '1', '0'], 'must be true or false'))
  .transform((value) => ['true', 'yes', 'on', '1'].includes(value))

const attributeSchema = nameSchema.optional()
const codesSchema = z
  .string()
  .max(4_000)
  .transform((codes) => [...new Set(codes.split(/[\s,，;；]+/).filter((code) => code !== ''))])
  .pipe(z.array(z.string().max(100)).max(ERROR_CODES_LIMIT, `must name at most ${ERROR_CODES_LIMIT}`))

/** The fields beside the files of an upload; a field that is given wins over the document's own front matter. */
export const uploadFormSchema = z
  .strictObject({
    /** Index at once; the answer is then 202 with the task. */
    index: flagSchema.default(false),
    title: nameSchema.optional(),
    knowledgeType: attributeSchema,
    project: attributeSchema,
    equipment: attributeSchema,
    /** Separated by commas or spaces. */
    errorCodes: codesSchema.optional(),
    /** Also take error codes that the text names: not unless it is given. */
    detectErrorCodes: flagSchema.optional()
  })
  .readonly()

export const documentSchema = z
  .object({
    id: z.string(),
    knowledgeBaseId: z.string(),
    ownerUserId: z.string(),
    tenantId: z.string(),
    /** As it was uploaded, or as its path for a file of a folder; never a path of the server's own storage. */
    fileName: z.string(),
    title: z.string().nullable(),
    mediaType: z.string(),
    format: documentFormatSchema,
    byteSize: z.int().min(0),
    sha256: z.string(),
    /** Of the bytes; grows with each upload of new content. */
    version: z.int().min(1),
    /** The version that retrieval sees; null while there is none. */
    indexedVersion: z.int().min(1).nullable(),
    status: z.enum(['active', 'deleted']),
    indexStatus: indexStatusSchema,
    /** Why the last attempt to index it failed. */
    failure: failureSchema.nullable(),
    /** Sentences: what was not read, and where. */
    warnings: z.array(z.string()).readonly(),
    attributes: documentAttributesSchema,
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly(),
    chunkCount: z.int().min(0),
    createdAt: timeSchema,
    updatedAt: timeSchema
  })
  .readonly()

const uploadedSchema = z.object({ document: documentSchema, task: indexTaskSchema.nullable() }).readonly()

/** Of the files of one upload, those that were taken and those that were not; `document` and `task` are the first's. */
export const uploadAnswerSchema = z
  .object({
    document: documentSchema,
    task: indexTaskSchema.nullable(),
    documents: z.array(uploadedSchema).readonly(),
    refused: z
      .array(
        z
          .object({
            fileName: z.string(),
            code: z.enum(errorCodes),
            message: z.string(),
            /** As of the error: `documentId` of the document that has the same bytes, for CONFLICT. */
            details: z.record(z.string(), z.unknown()).optional()
          })
          .readonly()
      )
      .readonly()
  })
  .readonly()

export const documentsQuerySchema = z
  .strictObject({
    ...pageQuery,
    indexStatus: indexStatusSchema.optional(),
    /** Part of the file name or title, in any case. */
    name: z.string().trim().min(1).max(200).optional()
  })
  .readonly()

/** One chunk as it is searched and cited. */
export const documentChunkSchema = z
  .object({
    chunkId: z.string(),
    sequence: z.int().min(0),
    headingPath: z.array(z.string()).readonly(),
    content: z.string(),
    /** Span in the document's text, UTF-16 units. */
    start: z.int().min(0),
    end: z.int().min(0),
    tokenCount: z.int().min(0),
    metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly()
  })
  .readonly()

export const documentTextQuerySchema = z
  .strictObject({
    /** The indexed version when absent. */
    version: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
      .transform(Number)
      .optional()
      .meta({ type: 'integer', minimum: 1, description: 'The indexed version when absent.' })
  })
  .readonly()

/** The readable text that spans of chunks and citations point into. */
export const documentTextSchema = z
  .object({ documentId: idSchema, version: z.int().min(1), title: z.string(), text: z.string() })
  .readonly()

export type DocumentFormatName = z.output<typeof documentFormatSchema>
export type IndexStatus = z.output<typeof indexStatusSchema>
export type DocumentAttributes = z.output<typeof documentAttributesSchema>
export type UploadForm = z.output<typeof uploadFormSchema>
export type DocumentView = z.output<typeof documentSchema>
export type UploadAnswer = z.output<typeof uploadAnswerSchema>
export type DocumentsQuery = z.output<typeof documentsQuerySchema>
export type DocumentChunk = z.output<typeof documentChunkSchema>
export type DocumentText = z.output<typeof documentTextSchema>
