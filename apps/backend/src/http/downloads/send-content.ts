import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { AppError, routes } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import type { StoredContent } from '../../knowledge/index.ts'
import { attachment } from './content-disposition.ts'
import { tagged } from './entity-tag.ts'

/** Types that documents are told as; whatever else was once stored is told as bytes, which nothing opens. */
const TYPES = new Set<string>(routes.documentContent.mediaTypes)

interface ContentAnswer {
  readonly status?: 304
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable
}

/** A stored file, streamed; a browser saves it and, should it show it, runs nothing of it. */
export async function sendContent(content: StoredContent, request: FastifyRequest): Promise<ContentAnswer> {
  const { status, headers } = tagged(request, `"${content.sha256}"`)
  if (status === 304) return { status, headers }
  return {
    headers: {
      ...headers,
      'content-type': TYPES.has(content.mediaType) ? content.mediaType : 'application/octet-stream',
      'content-length': String(content.byteSize),
      'content-disposition': attachment(content.fileName),
      'content-security-policy': "sandbox; default-src 'none'"
    },
    body: request.method === 'HEAD' ? Readable.from([]) : await streamOf(content)
  }
}

/** Opened before the answer begins, so that a file that is not there is an error and no broken download. */
async function streamOf({ path, byteSize, sha256 }: StoredContent): Promise<Readable> {
  const file = await open(path, 'r').catch(missing(sha256))
  try {
    // A length that was told and is not kept would leave the client waiting.
    if ((await file.stat()).size !== byteSize) missing(sha256)(new Error('the stored file has another size'))
    return file.createReadStream()
  } catch (failed) {
    await file.close()
    throw failed
  }
}

function missing(subject: string) {
  return (cause: unknown): never => {
    const message = 'The stored file is damaged or gone.'
    throw new AppError('DATA_CORRUPT', { operation: 'read stored file', subject, message, cause })
  }
}
