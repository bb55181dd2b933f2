import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Small heaps: three nodes fit beside everything else. C1 alone starts fastest. */
export const SMALL_AND_QUICK: readonly string[] = [
  '-Xms128m',
  '-Xmx768m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1'
]
const POLL_MS = 50
/** Milliseconds from the start of the process to either port; a busy machine has needed 36 s. */
const PORT_TIMEOUT_MS = 180_000
const LAST_WORDS = 3_000

export interface EngineProcess {
  readonly name: string
  readonly pid: number
  readonly log: string
  readonly child: ChildProcess
}

/** 0 is the system's choice. */
export interface EnginePorts {
  readonly http: number
  readonly transport: number
}

export interface EngineSettings {
  readonly name: string
  readonly classPath: string
  /** Holds the data, the configuration and the log of this node. */
  readonly folder: string
  /** Every further setting of the node, as `key=value`. */
  readonly settings: readonly string[]
  readonly ports: EnginePorts
  readonly javaOptions: readonly string[]
  /** Lives on when this process ends; else it ends with it, however that ends. */
  readonly isDetached: boolean
}

/** Starts the process of one node and does not wait for it. */
export async function spawnEngine(options: EngineSettings): Promise<EngineProcess> {
  const { name, classPath, folder, settings, ports, javaOptions, isDetached } = options
  const log = join(folder, 'node.log')
  const output = await open(log, 'w')
  const common = [`path.home=${folder}`, `node.name=${name}`, 'network.host=127.0.0.1']
  const bound = [`http.port=${ports.http}`, `transport.port=${ports.transport}`]
  const watch = isDetached ? [] : ['--watch-stdin']
  try {
    const child = spawn(
      'java',
      [...javaOptions, '-cp', classPath, 'EngineNode', ...common, ...bound, ...settings, ...watch],
      {
        stdio: [isDetached ? 'ignore' : 'pipe', output.fd, output.fd],
        detached: isDetached
      }
    )
    // Without a listener the error of a missing program would end this process; waiting for the port reports it.
    child.on('error', () => {})
    child.unref()
    return { name, pid: child.pid ?? 0, log, child }
  } finally {
    await output.close()
  }
}

/**
 * Waits until the node has said its port.
 * @throws Error with the end of its log when it has ended before, or is too slow
 */
export async function portOf(node: EngineProcess, kind: 'TRANSPORT' | 'HTTP'): Promise<number> {
  const line = new RegExp(`^${kind} (\\d+)$`, 'm')
  for (const end = Date.now() + PORT_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    const said = line.exec(await readFile(node.log, 'utf8'))
    if (said !== null) return Number(said[1])
    const { exitCode, signalCode } = node.child
    if (node.pid === 0 || exitCode !== null || signalCode !== null) break
  }
  const log = await readFile(node.log, 'utf8')
  throw new Error(`OpenSearch node ${node.name} did not start: ${log.slice(-LAST_WORDS) || 'it said nothing'}`)
}
