import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createMcpServer, type RequestExtra } from './create-mcp-server.ts'
import { knowledgeTools } from './knowledge-tools.ts'
import type { McpCaller, McpRooms } from './rooms.ts'

/** Bytes of one message; the largest that makes sense (a long question, some thousand ids) is far below. */
const MESSAGE_BYTES = 1_048_576

export interface McpStreams {
  readonly input: Readable
  /** For the protocol alone. */
  readonly output: NodeJS.WritableStream
}

/**
 * Serves one client over two streams until its input ends or the signal is aborted; what was asked before the end is
 * still answered.
 * @param asked as whom the client asks, and in which language it is told what only people read
 */
export async function serveOverStdio(
  rooms: McpRooms,
  asked: Pick<McpCaller, 'caller' | 'language'>,
  { input, output }: McpStreams,
  signal: AbortSignal
): Promise<void> {
  const callerOf = (extra: RequestExtra): McpCaller => ({ ...asked, signal: extra.signal })
  const { server, idle } = createMcpServer({ rooms, tools: knowledgeTools(rooms), callerOf })
  // The standard streams are of this kind; what a terminal promises of its output is less.
  const transport = new StdioServerTransport(input, output as Writable, { maxBufferSize: MESSAGE_BYTES })
  const closed = new Promise<void>((resolve) => {
    Object.assign(server, { onclose: resolve })
  })
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  const ended = once(input, 'end').catch(() => undefined)
  await server.connect(transport)
  // A message that is too long has closed the transport: whoever sends one is not answered any more.
  await Promise.race([ended, stopped, closed])
  if (!signal.aborted) await Promise.race([idle(), stopped])
  await server.close()
}
