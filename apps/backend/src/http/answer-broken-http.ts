import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '@oncall-agent/api-contracts'
import { errorBody } from './translate-error.ts'

/** Bytes that are no HTTP never become a request; they get the one shape of errors all the same. */
export function answerBrokenHttp(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refused = new AppError('VALIDATION_FAILED', {
    operation: 'read request',
    message: 'The request is not valid HTTP.'
  })
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(refused, requestId))
  socket.end(
    [
      `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`,
      `x-request-id: ${requestId}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body
    ].join('\r\n')
  )
}
