import type { Readable } from 'node:stream'
import { AppError } from '@oncall-agent/api-contracts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { arrivingBody, dropRest } from './arriving-body.ts'

/** Bytes of a JSON body; the largest that makes sense (a long question, some thousand ids) is far below. */
const JSON_LIMIT = 1_048_576

/** JSON in UTF-8 for the routes that take it, forms for those that take files, and nothing else. */
export function acceptBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const text = await readJsonText(request, payload).finally(() => dropRest(payload))
    // A client that says JSON and sends nothing, to a route that wants nothing.
    if (text === '' && request.routeOptions.config.route?.body === undefined) return undefined
    return parseJson(server, request, text)
  })
  server.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    // Read by the route itself, file by file.
    if (request.routeOptions.config.route?.form && !isCompressed(request)) return done(null)
    dropRest(payload)
    done(unsupported(request))
  })
  server.addContentTypeParser('*', (request, payload, done) => {
    dropRest(payload)
    done(unsupported(request))
  })
}

async function readJsonText(request: FastifyRequest, payload: Readable): Promise<string> {
  if (request.routeOptions.config.route?.form || isCompressed(request)) throw unsupported(request)
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw unsupported(request, 'JSON is taken in UTF-8 only.')
  }
  if (Number(request.headers['content-length'] ?? 0) > JSON_LIMIT) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of arrivingBody(payload)) {
    size += chunk.length
    if (size > JSON_LIMIT) throw tooLarge()
    chunks.push(chunk)
  }
  return decodeUtf8(Buffer.concat(chunks))
}

/** Refuses what would change a prototype. */
function parseJson(server: FastifyInstance, request: FastifyRequest, text: string): Promise<unknown> {
  const parse = server.getDefaultJsonParser('error', 'error')
  return new Promise((resolve, reject) => {
    void parse(request, text, (failed, parsed: unknown) => (failed ? reject(failed) : resolve(parsed)))
  })
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    const message = 'The body is not valid UTF-8.'
    throw new AppError('VALIDATION_FAILED', { operation: 'read body', message, cause })
  }
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    operation: 'read body',
    message: `The body is too large: at most ${JSON_LIMIT} bytes of JSON are taken.`
  })
}

/** A few bytes that unfold to gigabytes are not taken from anybody. */
function isCompressed({ headers }: FastifyRequest): boolean {
  return !/^(identity)?$/i.test(headers['content-encoding'] ?? '')
}

/** Says what the route would take. */
export function unsupported(request: FastifyRequest, reason?: string): AppError {
  const form = request.routeOptions.config.route?.form !== undefined
  const how = isCompressed(request) ? ' It is not taken compressed.' : ''
  const wanted = form ? 'a form with content-type: multipart/form-data' : 'JSON with content-type: application/json'
  return new AppError('UNSUPPORTED_MEDIA_TYPE', {
    operation: 'read body',
    subject: request.headers['content-type'] ?? '(no content-type)',
    message: `${reason ?? 'This type of content is not supported.'} Send ${wanted}.${how}`
  })
}
