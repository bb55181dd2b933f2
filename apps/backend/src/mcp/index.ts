import type { McpHttpAnswer, McpHttpRequest, McpOverHttp } from './over-http.ts'
import type { McpStreams } from './over-stdio.ts'
import type { McpCaller, McpRooms } from './rooms.ts'

export type { McpHttpAnswer, McpHttpRequest, McpOverHttp } from './over-http.ts'
export type { McpStreams } from './over-stdio.ts'
export type { McpRooms } from './rooms.ts'

/** As `serveOverStdio`; the protocol's code is loaded only now. */
export async function serveOverStdio(
  rooms: McpRooms,
  asked: Pick<McpCaller, 'caller' | 'language'>,
  streams: McpStreams,
  signal: AbortSignal
): Promise<void> {
  const room = await import('./over-stdio.ts')
  await room.serveOverStdio(rooms, asked, streams, signal)
}

/** As `createMcpOverHttp`; the protocol's code is loaded with the first request, so that a start does not wait for it. */
export function mcpOverHttp(rooms: McpRooms): McpOverHttp {
  let opened: Promise<McpOverHttp> | undefined
  const open = () => (opened ??= import('./over-http.ts').then(({ createMcpOverHttp }) => createMcpOverHttp(rooms)))
  return {
    answer: async (request: McpHttpRequest, gone: AbortSignal): Promise<McpHttpAnswer> =>
      (await open()).answer(request, gone),
    close: async () => (await opened)?.close()
  }
}
