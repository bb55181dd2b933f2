import type { McpServer } from '@oncall-agent/api-contracts'

/** A program of the server's machine runs with its rights: a member may see it and delete it, nothing else. */
export const isDeniedTo = (
  { isAdmin }: { readonly isAdmin: boolean },
  { connection }: Pick<McpServer, 'connection'>
): boolean => connection.transport === 'stdio' && !isAdmin
