import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What the packages need; the lowest version first, so that a system's own goes before a newer one beside it. */
const PYTHONS = ['python3', 'python3.11', 'python3.12', 'python3.13', 'python3.14']
/** Milliseconds for some dozens of wheels; a registry that is slower than that counts as out of reach. */
const INSTALL_TIMEOUT_MS = 120_000
/** Seconds that pip waits for an answer of the registry before it tries again, twice. */
const PIP_TIMEOUT_S = 15

export interface PythonTool {
  /** Of the folder that it is kept in. */
  readonly name: string
  /** In words, for the reason why it is not there. */
  readonly called: string
  /** Path of a requirements.txt in which every file has its hash. */
  readonly requirements: string
  /** Name of its command. */
  readonly command: string
}

/** The executable, or why there is none here: a sentence without brackets. */
export type InstalledTool = { readonly executable: string } | { readonly reason: string }

/**
 * Installs a tool of Python, every file held against its hash, into an environment of its own under
 * `~/.cache/oncall-agent`. Once: a complete environment is used as it is and needs no network.
 */
export async function installPythonTool(
  { name, called, requirements, command }: PythonTool,
  cache = join(homedir(), '.cache/oncall-agent')
): Promise<InstalledTool> {
  const python = await findPython()
  if (python === undefined) return { reason: 'no Python of 3.11 or later' }
  const key = createHash('sha256')
    .update(await readFile(requirements))
    .update(python.version)
    .digest('hex')
  const folder = join(cache, `${name}-${key.slice(0, 12)}`)
  const complete = join(folder, 'complete')
  const executable = join(folder, 'bin', command)
  if (existsSync(complete)) return { executable }
  try {
    // What an install that was cut short has left is of no use.
    await rm(folder, { recursive: true, force: true })
    await mkdir(cache, { recursive: true })
    await run(python.command, ['-m', 'venv', folder], { timeout: INSTALL_TIMEOUT_MS })
    await run(join(folder, 'bin/python'), ['-m', 'pip', ...pipArguments(requirements)], { timeout: INSTALL_TIMEOUT_MS })
    await writeFile(complete, '')
    return { executable }
  } catch (failed) {
    return { reason: `${called} could not be installed from PyPI: ${lastLineOf(failed)}` }
  }
}

/** Wheels only: nothing of a package runs while it is installed. */
function pipArguments(requirements: string): string[] {
  const network = ['--no-input', '--disable-pip-version-check', '--timeout', String(PIP_TIMEOUT_S), '--retries', '2']
  return ['install', '--quiet', '--require-hashes', '--only-binary', ':all:', ...network, '-r', requirements]
}

async function findPython(): Promise<{ readonly command: string; readonly version: string } | undefined> {
  for (const command of PYTHONS) {
    const question = 'import sys; print(sys.version if sys.version_info >= (3, 11) else "")'
    // A command that is not there is no answer either.
    const version = await run(command, ['-c', question]).then(
      ({ stdout }) => stdout.trim(),
      () => ''
    )
    if (version !== '') return { command, version }
  }
  return undefined
}

/** pip and venv say last what matters. Brackets would end the reason in a test's name. */
function lastLineOf(failed: unknown): string {
  const { stdout = '', stderr = '' } = failed as { readonly stdout?: string; readonly stderr?: string }
  const said = stderr.trim() || stdout.trim() || (failed instanceof Error ? failed.message : String(failed))
  return (said.split('\n').at(-1) ?? '').replaceAll(/[()]/g, ' ').trim()
}
