import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildOpenSearch } from './build.ts'
import { portOf, SMALL_AND_QUICK, spawnEngine } from './engine-process.ts'
import type { EnginePorts, EngineProcess } from './engine-process.ts'
import { missingTool } from './required-tools.ts'

/** Milliseconds for the nodes to find one another and be ready. */
const HEALTH_TIMEOUT_MS = 120_000
const HEALTH_REQUEST_MS = 10_000
const POLL_MS = 100
const ANY_PORTS: EnginePorts = { http: 0, transport: 0 }

export interface StartOptions {
  /** 1 to 3; one unless said otherwise. */
  readonly nodes?: 1 | 2 | 3
  /** Where data and logs go; a temporary folder that `stop` removes unless said otherwise. */
  readonly folder?: string
  /** Lives on when this process ends. */
  readonly isDetached?: boolean
  /** Of each node; for a small and quick one unless said otherwise. */
  readonly javaOptions?: readonly string[]
}

export interface RunningNode {
  readonly name: string
  readonly pid: number
  readonly url: string
  readonly httpPort: number
  readonly transportPort: number
}

export interface RunningOpenSearch {
  /** Addresses of all nodes, joined by commas, as the setting `search.url` takes them. */
  readonly url: string
  readonly nodes: readonly RunningNode[]
  /** Starts a node again that was killed, with its data and at its address, and waits until the cluster is whole. */
  readonly startAgain: (name: string) => Promise<RunningNode>
  /** Kills the nodes and removes what they wrote; may be called again. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a real OpenSearch on free ports of the loopback address and waits until it is ready; several may run at once.
 * The first start on a machine builds it, which takes the network and half a minute.
 * @throws Error that says what is missing on this machine, or how the log of the node ends
 */
export async function startOpenSearch(options: StartOptions = {}): Promise<RunningOpenSearch> {
  const missing = await missingTool()
  if (missing !== undefined) throw new Error(`OpenSearch ${missing}`)
  const classPath = await buildOpenSearch()
  const folder = resolve(options.folder ?? (await mkdtemp(join(tmpdir(), 'oncall-opensearch-'))))
  const processes: EngineProcess[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map(kill))
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    const names = ['n1', 'n2', 'n3'].slice(0, options.nodes ?? 1)
    for (const name of names) processes.push(await spawnNode(name, names, { classPath, folder, options }))
    const nodes = await meet(processes, folder)
    await waitForHealth(nodes)
    const startAgain = async (name: string): Promise<RunningNode> => {
      const { httpPort, transportPort } = nodes.find((node) => node.name === name)!
      const ports = { http: httpPort, transport: transportPort }
      const node = await spawnNode(name, names, { classPath, folder, options, ports })
      processes.push(node)
      await portOf(node, 'HTTP')
      await waitForHealth(nodes)
      return { ...nodes.find((former) => former.name === name)!, pid: node.pid }
    }
    return { url: nodes.map(({ url }) => url).join(), nodes, startAgain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Surroundings {
  readonly classPath: string
  readonly folder: string
  readonly options: StartOptions
  /** The system's choice unless said otherwise. */
  readonly ports?: EnginePorts
}

async function spawnNode(name: string, names: readonly string[], around: Surroundings): Promise<EngineProcess> {
  const folder = join(around.folder, name)
  await mkdir(join(folder, 'config'), { recursive: true })
  const alone = ['discovery.type=single-node']
  const together = ['discovery.seed_providers=file', `cluster.initial_cluster_manager_nodes=${names.join()}`]
  const settings = [
    'cluster.name=oncall-test',
    // A nearly full disk of the machine is no reason to refuse documents of a test.
    'cluster.routing.allocation.disk.threshold_enabled=false',
    ...(names.length === 1 ? alone : together)
  ]
  return spawnEngine({
    name,
    classPath: around.classPath,
    folder,
    settings,
    ports: around.ports ?? ANY_PORTS,
    javaOptions: around.options.javaOptions ?? SMALL_AND_QUICK,
    isDetached: around.options.isDetached === true
  })
}

/** Tells each node the ports that the system gave the others: a node reads its list again until it has found them. */
async function meet(processes: readonly EngineProcess[], folder: string): Promise<RunningNode[]> {
  const transportPorts = await Promise.all(processes.map((node) => portOf(node, 'TRANSPORT')))
  const hosts = transportPorts.map((port) => `127.0.0.1:${port}\n`).join('')
  await Promise.all(processes.map(({ name }) => writeFile(hostsFile(folder, name), hosts)))
  return Promise.all(
    processes.map(async (node, index) => {
      const httpPort = await portOf(node, 'HTTP')
      const { name, pid } = node
      return { name, pid, url: `http://127.0.0.1:${httpPort}`, httpPort, transportPort: transportPorts[index]! }
    })
  )
}

function hostsFile(folder: string, name: string): string {
  return join(folder, name, 'config/unicast_hosts.txt')
}

async function waitForHealth(nodes: readonly RunningNode[]): Promise<void> {
  const question = `${nodes[0]!.url}/_cluster/health?wait_for_nodes=${nodes.length}&wait_for_status=green&timeout=5s`
  let last: unknown
  for (const end = Date.now() + HEALTH_TIMEOUT_MS; Date.now() < end; await sleep(POLL_MS)) {
    try {
      const answer = await fetch(question, { signal: AbortSignal.timeout(HEALTH_REQUEST_MS) })
      if (answer.ok) return
      last = await answer.text()
    } catch (error) {
      last = error
    }
  }
  throw new Error(`OpenSearch was not ready in time: ${String(last)}`)
}

/** By the process that was started here, never by a number that may be another's by now. */
async function kill({ child }: EngineProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  // It was unreferenced, so that nobody who forgets to stop it hangs; here it is waited for.
  child.ref()
  child.kill('SIGKILL')
  await ended
}
