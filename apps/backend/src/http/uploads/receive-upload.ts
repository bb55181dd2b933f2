import { AppError, invalidInput } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { KnowledgeService, ReceivedFile } from '../../knowledge/index.ts'
import { unsupported } from '../bodies/accept-bodies.ts'
import { arrivingBody, dropRest } from '../bodies/arriving-body.ts'
import { parseForm } from '../bodies/validate-input.ts'
import { partNameOf } from './part-name.ts'
import { type Part, readParts } from './read-parts.ts'

/** Files of one request; a folder of more is several requests. */
const FILES_LIMIT = 20
/** Bytes of a text field: the longest, a list of error codes, has 4,000 characters. */
const FIELD_LIMIT = 16_384
/** Fields of one request; the contracts have less than ten. */
const FIELDS_LIMIT = 32

const FILE_FIELD = 'file'

export interface Upload<Form> {
  readonly form: Form
  readonly files: readonly ReceivedFile[]
}

/**
 * Reads a form with files: files go to the data folder while they arrive, fields may come before or after them.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED, and what receiving throws; no file is left then
 */
export async function receiveUpload<Schema extends z.ZodType>(
  request: FastifyRequest,
  schema: Schema,
  knowledge: Pick<KnowledgeService, 'receive' | 'discard'>
): Promise<Upload<z.output<Schema>>> {
  const boundary = boundaryOf(request)
  const body = arrivingBody(request.raw)
  const files: ReceivedFile[] = []
  const fields = new Map<string, string>()
  try {
    for await (const part of readParts(body, boundary)) {
      const file = await takePart(part, fields, (name) => receiveFile(knowledge, files.length, name, part))
      if (file) files.push(file)
    }
    if (files.length === 0) throw fieldRefused(FILE_FIELD, 'is missing')
    return { form: parseForm(schema, Object.fromEntries(fields)), files }
  } catch (refused) {
    await knowledge.discard(files)
    throw refused
  } finally {
    await body.return(undefined)
    dropRest(request.raw)
  }
}

function boundaryOf(request: FastifyRequest): string {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) throw unsupported(request)
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  const boundary = quoted ?? token
  if (boundary !== undefined) return boundary
  const message = 'The content-type names no boundary between the parts of the form.'
  throw new AppError('VALIDATION_FAILED', { operation: 'read form', message })
}

async function takePart(
  part: Part,
  fields: Map<string, string>,
  receive: (fileName: string) => Promise<ReceivedFile>
): Promise<ReceivedFile | undefined> {
  const { field, fileName } = partNameOf(part.headers)
  if (fileName !== undefined) {
    if (field !== FILE_FIELD) throw fieldRefused(field, `is no field for files; name them ${FILE_FIELD}`)
    // What a page sends for a file that was not chosen.
    return fileName === '' ? undefined : receive(fileName)
  }
  if (field === FILE_FIELD) throw fieldRefused(field, 'must be a file with a name')
  if (fields.has(field)) throw fieldRefused(field, 'must be given once')
  if (fields.size === FIELDS_LIMIT) throw fieldRefused(field, `is one of too many fields, at most ${FIELDS_LIMIT}`)
  fields.set(field, await textOf(field, part.content))
  return undefined
}

async function receiveFile(
  knowledge: Pick<KnowledgeService, 'receive'>,
  count: number,
  fileName: string,
  { content }: Part
): Promise<ReceivedFile> {
  if (count === FILES_LIMIT) throw fieldRefused(FILE_FIELD, `must be at most ${FILES_LIMIT} files`)
  return knowledge.receive(fileName, content)
}

async function textOf(field: string, content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > FIELD_LIMIT) throw fieldRefused(field, `must have at most ${FIELD_LIMIT} bytes`)
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    throw fieldRefused(field, 'must be valid UTF-8')
  }
}

function fieldRefused(field: string, problem: string): AppError {
  return invalidInput([{ field: field.slice(0, 80).toWellFormed(), problem }])
}
