import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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

export interface User {
  readonly uid: number
  readonly gid: number
}

/** Whom the command runs as when it must be nobody special; tests may run as root, whom no file mode hinders. */
export const ordinaryUser: User | undefined = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

/** Runs the real command line in a process of its own and waits for it. */
export function oncall(
  args: readonly string[],
  environment: Record<string, string> = {},
  user: User | undefined = undefined
): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(
      join(repository, 'bin/oncall'),
      [...args],
      { env: { ...process.env, ...environment }, maxBuffer: 64 * 1024 * 1024, ...user },
      (error, stdout, stderr) => {
        const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ exit, stdout, stderr })
      }
    )
  })
}

export interface Started {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** What Ctrl-C does: the terminal signals the command and every process that it has started. */
  interrupt(): void
  /** Whether the command or a process that it has started is still there. */
  isAlive(): boolean
}

/** Starts the real command line as a terminal does, in a process group of its own. `exit` is -1 after a signal. */
export function startOncall(args: readonly string[]): Started {
  const child = spawn(join(repository, 'bin/oncall'), [...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? -1))
  })
  /** False when nobody is there any more. */
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return process.kill(-child.pid!, name)
    } catch {
      return false
    }
  }
  return {
    child,
    finished: Promise.all([ended, text(child.stdout), text(child.stderr)]).then(([exit, stdout, stderr]) => ({
      exit,
      stdout,
      stderr
    })),
    interrupt: () => void signal('SIGINT'),
    isAlive: () => signal(0)
  }
}

/** Runs with `--json` and reads the answer; fails when anything but JSON is on stdout. */
export async function oncallJson<T>(args: readonly string[]): Promise<T> {
  const { stdout } = await oncall([...args, '--json'])
  return JSON.parse(stdout) as T
}

/** A folder of one's own, gone after the test. */
export async function temporaryFolder(
  owner: User | undefined = undefined
): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'oncall-e2e-'))
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
