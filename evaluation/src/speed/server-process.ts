import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const main = fileURLToPath(new URL('../../../apps/backend/src/main.ts', import.meta.url))
/** Between two tries to reach a server that starts. */
const pollMs = 10
const startLimitMs = 60_000

/** A real server process of the product, on a free port of this machine. */
export interface ServerProcess {
  readonly address: string
  /** From the start of the process until /health answered. */
  readonly healthyAfterMs: number
  /** `performance.now()` when the process was started. */
  readonly startedAt: number
  /** Resident memory in bytes. */
  residentBytes(): Promise<number>
  /** Asks for evidence; the answer's body. @throws Error with the body when the status is not 200 */
  retrieve(query: string): Promise<unknown>
  stop(): Promise<void>
}

/** Starts `oncall serve` over a data folder and waits until it is healthy. */
export async function startServer(
  dataDirectory: string,
  environment: Readonly<Record<string, string>> = {}
): Promise<ServerProcess> {
  const startedAt = performance.now()
  const child = spawn(
    process.execPath,
    // The flags that bin/oncall has given to this process are the server's too.
    [...process.execArgv, main, 'serve', '--json', '--data', dataDirectory],
    {
      cwd: repository,
      env: { ...process.env, KB_SERVER__PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe']
    }
  )
  try {
    const address = await addressOf(child)
    await untilHealthy(address)
    return {
      address,
      startedAt,
      healthyAfterMs: performance.now() - startedAt,
      residentBytes: () => residentBytes(child.pid!),
      retrieve: (query) => retrieve(address, query),
      stop: () => stop(child)
    }
  } catch (cause) {
    await stop(child)
    throw cause
  }
}

/** The first JSON on its stdout says where it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let complaint = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (complaint += text))
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /"address":\s*"([^"]+)"/.exec(output)
      if (found !== null) resolve(found[1]!)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the server ended with ${code} before it listened: ${output}${complaint}`.slice(0, 2000)))
    )
  })
}

async function untilHealthy(address: string): Promise<void> {
  const limit = performance.now() + startLimitMs
  for (;;) {
    const healthy = await fetch(`${address}/health`).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok
      },
      () => false
    )
    if (healthy) return
    if (performance.now() > limit) throw new Error(`${address}/health did not answer within ${startLimitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function retrieve(address: string, query: string): Promise<unknown> {
  const response = await fetch(`${address}/api/v1/retrieval`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query })
  })
  const body = await response.json()
  if (response.status !== 200) throw new Error(`retrieval answered ${response.status}: ${JSON.stringify(body)}`)
  return body
}

/** From the kernel where it says so, else from `ps`. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined)
  const fromKernel = status === undefined ? undefined : /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  const kibibytes = fromKernel ?? (await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()
  return Number(kibibytes) * 1024
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  await ended
}
