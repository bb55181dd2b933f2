import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { runFileOf } from './run-file.ts'
import type { RunningNode } from './start-opensearch.ts'

const POLL_MS = 100
/** Milliseconds for a node to close its files before it is killed. */
const GRACE_MS = 20_000

const run = promisify(execFile)

/** A number may be another process's by now: only one whose command line names the folder is ours. */
async function isOurs(pid: number, folder: string): Promise<boolean> {
  return run('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.includes('EngineNode') && stdout.includes(`path.home=${folder}/`),
    () => false
  )
}

async function end({ pid, name }: RunningNode, folder: string): Promise<void> {
  if (!(await isOurs(pid, folder))) return
  process.kill(pid, 'SIGTERM')
  for (const latest = Date.now() + GRACE_MS; Date.now() < latest; await sleep(POLL_MS)) {
    if (!(await isOurs(pid, folder))) return
  }
  console.error(`node ${name} did not end in time and is killed`)
  process.kill(pid, 'SIGKILL')
}

// node scripts/services/opensearch/stop.ts --folder FOLDER
const { values } = parseArgs({ options: { folder: { type: 'string' } } })
if (values.folder === undefined) {
  console.error('usage: stop.ts --folder FOLDER')
  process.exit(2)
}
const folder = resolve(values.folder)
const runFile = runFileOf(folder)
const { nodes } = JSON.parse(await readFile(runFile, 'utf8')) as { readonly nodes: readonly RunningNode[] }
await Promise.all(nodes.map((node) => end(node, folder)))
await rm(runFile)
