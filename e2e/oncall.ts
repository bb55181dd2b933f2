import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('..', import.meta.url))
export const runbooks = join(repository, 'e2e/fixtures/runbooks')
/** Team material beside the repository; tests that need it say so when it is not there. */
export const shared = join(repository, '../shared')

export interface Finished {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the real command line in a process of its own and waits for it. */
export function oncall(args: readonly string[], environment: Record<string, string> = {}): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      join(repository, 'bin/oncall'),
      [...args],
      { env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ exit, stdout, stderr })
      }
    )
  })
}

/** Runs with `--json` and reads the answer; fails when anything but JSON is on stdout. */
export async function oncallJson<T>(args: readonly string[]): Promise<T> {
  const { stdout } = await oncall([...args, '--json'])
  return JSON.parse(stdout) as T
}

/** A folder of one's own, gone after the test. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'oncall-e2e-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
