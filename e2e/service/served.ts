import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repository } from '../oncall.ts'

export interface Served {
  /** Origin, such as http://127.0.0.1:41234; empty of a worker. */
  readonly address: string
  readonly pid: number
  /** What it has written to stderr so far: one JSON line an event. */
  readonly log: () => string
  /** As a service manager does: SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Without any warning. */
  kill(): Promise<void>
}

/** Never in the way of a test that asks as often as it can. */
const UNLIMITED = { KB_AUTH__REQUESTS_PER_MINUTE: '1000000', KB_AUTH__LOGIN_ATTEMPTS: '1000' }

/**
 * A server in a process of its own on a free port, unless the environment names one. Rejects with what it wrote when it
 * ends instead.
 */
export async function startServer(data: string, environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const { ready, ...process } = launch(['serve', '--data', data, '--json'], { KB_SERVER__PORT: '0', ...environment })
  const { address } = (await ready) as { readonly address: string }
  return { ...process, address }
}

export async function startWorker(data: string, environment: Readonly<Record<string, string>> = {}): Promise<Served> {
  const { ready, ...process } = launch(['worker', '--data', data, '--json'], environment)
  await ready
  return { ...process, address: '' }
}

/** A server that is killed may be gone before it says where it listens: `ready` is what it says first. */
export function launch(
  args: readonly string[],
  environment: Readonly<Record<string, string>>
): Omit<Served, 'address'> & { readonly ready: Promise<unknown> } {
  // The command line replaces itself by node (exec), so this is the pid of the server itself.
  const child = spawn(join(repository, 'bin/oncall'), [...args], {
    env: { ...process.env, ...UNLIMITED, ...environment },
    // A process group of its own: a test can ask whether anybody of it is left.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const log: string[] = []
  child.stderr.setEncoding('utf8').on('data', (written: string) => void log.push(written))
  const ended = once(child, 'exit')
  const ready = firstValue(child, () => log.join(''))
  ready.catch(() => undefined)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    await ended
    return child.exitCode
  }
  return {
    ready,
    pid: child.pid!,
    log: () => log.join(''),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL'))
  }
}

/** What a process says first on stdout with `--json`: one value, over several lines. */
async function firstValue(child: ChildProcess, log: () => string): Promise<unknown> {
  let written = ''
  for await (const line of createInterface({ input: child.stdout! })) {
    written += line
    if (line !== '}') continue
    const value = JSON.parse(written) as object
    if ('error' in value) throw new Error(written)
    return value
  }
  throw new Error(`it ended before it was ready: ${log()}`)
}
