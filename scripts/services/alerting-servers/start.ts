import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runFileOf, type StartedServer } from './run-file.ts'
import { startAlerting } from './start-alerting.ts'

// scripts/services/alerting start DIR [--rules FILE] [--alertmanager-config FILE]
// Starts servers that live on, and prints their addresses. `stop` with the same folder ends them.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rules: { type: 'string' }, 'alertmanager-config': { type: 'string' } }
})
const [folder, ...others] = positionals
if (folder === undefined || others.length > 0) {
  console.error('usage: scripts/services/alerting start DIR [--rules FILE] [--alertmanager-config FILE]')
  process.exit(2)
}
const runFile = runFileOf(folder)
if (existsSync(runFile)) {
  console.error(`${runFile} says that servers were started there; run scripts/services/alerting stop ${folder} first`)
  process.exit(1)
}
await mkdir(folder, { recursive: true })
const { rules, 'alertmanager-config': config } = values
try {
  const { prometheus, alertmanager } = await startAlerting({
    folder,
    isDetached: true,
    ...(rules === undefined ? {} : { rules: await readFile(rules, 'utf8') }),
    ...(config === undefined ? {} : { alertmanagerConfig: await readFile(config, 'utf8') })
  })
  const servers: readonly StartedServer[] = [prometheus, alertmanager].map(({ name, pid, url }) => ({ name, pid, url }))
  await writeFile(runFile, JSON.stringify(servers, null, 2))
  console.log(`PROMETHEUS_URL=${prometheus.url}\nALERTMANAGER_URL=${alertmanager.url}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
