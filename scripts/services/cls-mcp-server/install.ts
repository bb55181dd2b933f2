import { join } from 'node:path'
import { type InstalledTool, installPythonTool } from '../../lib/python-environment.ts'

/** Somebody else's tool server, for the log service CLS: PyPI has it, in Python. It lists its tools without an account. */
export function installClsServer(cache?: string): Promise<InstalledTool> {
  const requirements = join(import.meta.dirname, 'requirements.txt')
  const tool = { name: 'cls-mcp-server', called: 'the CLS tool server', requirements, command: 'cls-mcp-server' }
  return installPythonTool(tool, cache)
}
