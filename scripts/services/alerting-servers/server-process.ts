import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 50
/** Milliseconds from the start of a process to its readiness; it takes one second on an idle machine. */
const READY_TIMEOUT_MS = 60_000
const LAST_WORDS = 2_000
/** What both write when they have their port; the configured port 0 stands in an earlier line of Prometheus. */
const listening = /Listening on"?\s+address=127\.0\.0\.1:(\d+)/

export interface ServerProcess {
  readonly name: string
  readonly pid: number
  /** `http://127.0.0.1:port`. */
  readonly url: string
  /** By the process that was started here, never by a number that may be another's by now. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export interface ServerStart {
  readonly name: string
  readonly program: string
  readonly options: readonly string[]
  /** Holds its data and its log. */
  readonly folder: string
  /** Lives on when this process ends; else it ends with it, however that ends. */
  readonly isDetached: boolean
}

/**
 * Starts one server and waits until it is ready.
 * @throws Error with the end of its log when it has ended before, or is too slow
 */
export async function startServer({ name, program, options, folder, isDetached }: ServerStart): Promise<ServerProcess> {
  const log = join(folder, `${name}.log`)
  const output = await open(log, 'w')
  const child = spawn(program, options, { stdio: ['ignore', output.fd, output.fd], detached: isDetached })
  // Without a listener the error of a missing program would end this process; waiting for the port reports it.
  child.on('error', () => undefined)
  child.unref()
  await output.close()
  const guard = isDetached || child.pid === undefined ? undefined : guardOf(child.pid)
  const kill = (signal: 'SIGKILL' | 'SIGTERM') => endOf(child, guard, signal)
  try {
    return { name, pid: child.pid ?? 0, url: await readyUrl(child, log), kill }
  } catch (error) {
    await kill('SIGKILL')
    throw error
  }
}

/** Waits beside the server until its standard input ends, which it does with this process however that ends. */
function guardOf(pid: number): ChildProcess {
  const guard = spawn('sh', ['-c', 'cat >/dev/null; kill "$1" 2>/dev/null', 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true
  })
  guard.on('error', () => undefined)
  guard.unref()
  return guard
}

async function endOf(
  child: ChildProcess,
  guard: ChildProcess | undefined,
  signal: 'SIGKILL' | 'SIGTERM'
): Promise<void> {
  // First: the number that it watches may be another process's afterwards.
  guard?.kill('SIGKILL')
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // It was unreferenced, so that nobody who forgets to stop it hangs; here it is waited for.
  child.ref()
  child.kill(signal)
  await ended
}

async function readyUrl(child: ChildProcess, log: string): Promise<string> {
  for (const end = Date.now() + READY_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const port = listening.exec(await readFile(log, 'utf8'))?.[1]
    const url = `http://127.0.0.1:${port}`
    if (port !== undefined && (await isReady(url))) return url
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) break
  }
  const words = (await readFile(log, 'utf8')).slice(-LAST_WORDS)
  throw new Error(`${child.spawnfile} did not start: ${words || 'it said nothing'}`)
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.ok === true
}
