import { join } from 'node:path'
import { installPythonTool, type InstalledTool } from '../lib/python-environment.ts'

/** The API fuzzer of requirements.txt. */
export function installFuzzer(cache?: string): Promise<InstalledTool> {
  const requirements = join(import.meta.dirname, 'requirements.txt')
  const tool = { name: 'api-fuzzer', called: 'the API fuzzer', requirements, command: 'schemathesis' }
  return installPythonTool(tool, cache)
}

if (import.meta.main) {
  const installed = await installFuzzer()
  if ('executable' in installed) console.log(installed.executable)
  else {
    console.error(installed.reason)
    process.exitCode = 1
  }
}
