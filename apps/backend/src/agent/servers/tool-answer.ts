import { ErrorCode, McpError, type CallToolResult, type ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import { AppError } from '@oncall-agent/api-contracts'
import type { Secrets } from '../secrets/server-secrets.ts'
import { RESULT_BYTES, shownText } from './bounds.ts'
import { withoutSecrets, withoutValues } from './hide-secrets.ts'

/** Characters of a tool's own words about what went wrong. */
const FAILURE_LENGTH = 2_000

/**
 * The text of a result: data, bounded, without the secrets that the server was given.
 * @throws AppError SYSTEM_UNAVAILABLE with the tool's own words when it says that it has failed
 */
export function toolAnswer(result: CallToolResult, tool: string, secrets: Secrets): string {
  const parts = result.content.map(textOf)
  // A structured result repeats itself as text, for readers like this one; where it does not, it is shown itself.
  if (parts.length === 0 && result.structuredContent !== undefined) parts.push(JSON.stringify(result.structuredContent))
  const text = withoutValues(parts.join('\n').toWellFormed(), secrets)
  if (result.isError !== true) return bounded(text)
  throw new AppError('SYSTEM_UNAVAILABLE', {
    operation: 'call tool',
    subject: tool,
    message: `The tool says that it has failed: ${shownText(withoutSecrets(text, secrets), FAILURE_LENGTH) || '(no words)'}`
  })
}

/** What a server's own error of the protocol says to a model: that its arguments were wrong, in the server's words. */
export function refusedArguments(thrown: unknown, tool: string, secrets: Secrets): AppError | undefined {
  if (!(thrown instanceof McpError) || thrown.code !== ErrorCode.InvalidParams) return undefined
  return new AppError('VALIDATION_FAILED', {
    operation: 'call tool',
    subject: tool,
    message: `The tool server refused the arguments: ${shownText(withoutSecrets(thrown.message, secrets), FAILURE_LENGTH)}`,
    cause: thrown
  })
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource':
      return 'text' in block.resource
        ? `[resource ${block.resource.uri}]\n${block.resource.text}`
        : `[resource ${block.resource.uri}: ${block.resource.mimeType ?? 'bytes'}, not shown]`
    case 'resource_link':
      return `[link to the resource ${block.uri}: ${block.name}]`
    default:
      return `[${block.type} ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes, not shown]`
  }
}

/** Cut between characters, and never silently. */
function bounded(text: string): string {
  const bytes = Buffer.byteLength(text)
  if (bytes <= RESULT_BYTES) return text
  const kept = new TextDecoder().decode(Buffer.from(text).subarray(0, RESULT_BYTES), { stream: true })
  return `${kept}\n[cut here: these are the first ${RESULT_BYTES} of ${bytes} bytes]`
}
