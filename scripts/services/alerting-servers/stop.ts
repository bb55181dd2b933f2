import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { runFileOf, type StartedServer } from './run-file.ts'

const POLL_MS = 100
/** Milliseconds for a server to close its files before it is killed. */
const GRACE_MS = 20_000

const run = promisify(execFile)

/** A number may be another process's by now: only one whose command line names the folder is ours. */
async function isOurs({ pid, name }: StartedServer, folder: string): Promise<boolean> {
  return run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.includes(name) && stdout.includes(`--config.file=${folder}/${name}.yml`),
    () => false
  )
}

async function end(server: StartedServer, folder: string): Promise<void> {
  if (!(await isOurs(server, folder))) return
  process.kill(server.pid, 'SIGTERM')
  for (const latest = Date.now() + GRACE_MS; Date.now() < latest; await sleep(POLL_MS)) {
    if (!(await isOurs(server, folder))) return
  }
  console.error(`${server.name} did not end in time and is killed`)
  process.kill(server.pid, 'SIGKILL')
}

// scripts/services/alerting stop DIR
const [given, ...others] = process.argv.slice(2)
if (given === undefined || others.length > 0) {
  console.error('usage: scripts/services/alerting stop DIR')
  process.exit(2)
}
const folder = resolve(given)
const runFile = runFileOf(folder)
const text = await readFile(runFile, 'utf8').catch(() => undefined)
if (text === undefined) {
  console.error(`nothing was started in ${given}`)
  process.exit(1)
}
const servers = JSON.parse(text) as readonly StartedServer[]
await Promise.all(servers.map((server) => end(server, folder)))
await rm(runFile)
