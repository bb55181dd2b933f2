import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '@oncall-agent/api-contracts'
import { SilentServer } from './silent-server.ts'

/** What was tried with which server. */
export interface ServerAttempt {
  readonly operation: 'connect to tool server' | 'list tools' | 'call tool'
  /** Its name. */
  readonly subject: string
  /** Milliseconds that it had. */
  readonly limitMs: number
}

/**
 * SYSTEM_UNAVAILABLE with a fixed sentence that a person, or a model, can act upon; what was thrown is for the log. An
 * AppError passes through.
 */
export function serverFailure(cause: unknown, { operation, subject, limitMs }: ServerAttempt): AppError {
  if (cause instanceof AppError) return cause
  return new AppError('SYSTEM_UNAVAILABLE', { operation, subject, message: sentence(cause, limitMs), cause })
}

/** Whether the session that a server had given is over, so that a new connection helps and nothing has been done. */
export function isSessionOver(thrown: unknown): boolean {
  return thrown instanceof StreamableHTTPError && thrown.code === 404
}

function sentence(cause: unknown, limitMs: number): string {
  if (cause instanceof SilentServer) return sentence(cause.cause, limitMs)
  if (cause instanceof StreamableHTTPError) return httpSentence(cause.code)
  if (cause instanceof McpError) return protocolSentence(cause.code, limitMs)
  switch (systemCode(cause)) {
    case 'ENOENT':
      return 'The program of the tool server was not found on this machine.'
    case 'EACCES':
      return 'The program of the tool server may not be started.'
    default:
      return 'The tool server could not be reached.'
  }
}

function httpSentence(status: number | undefined): string {
  if (status === undefined || status < 0) return 'The tool server answered with something that is not MCP.'
  if (status === 401 || status === 403) return `The tool server refused the credentials (${status}).`
  if (status === 404) return 'There is no tool server at this address (404).'
  if (status >= 300 && status < 400)
    return `The tool server sent the request to another origin (${status}); that is not followed.`
  return `The tool server answered with the HTTP status ${status}.`
}

function protocolSentence(code: number, limitMs: number): string {
  if (code === ErrorCode.RequestTimeout) return `The tool server did not answer within ${limitMs / 1_000} s.`
  if (code === ErrorCode.ConnectionClosed) return 'The tool server ended before it had answered.'
  return `The tool server answered with the error ${code} of its protocol.`
}

/** Of the innermost cause that has one. */
function systemCode(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return undefined
  return 'code' in thrown ? thrown.code : systemCode(thrown.cause)
}
