import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runFileOf } from './run-file.ts'
import { startOpenSearch } from './start-opensearch.ts'

// node scripts/services/opensearch/start.ts --folder FOLDER [--nodes 3]
// Starts nodes that live on, and prints the address for the setting `search.url`. stop.ts with the same folder ends them.
const { values } = parseArgs({ options: { folder: { type: 'string' }, nodes: { type: 'string', default: '1' } } })
const nodes = Number(values.nodes)
if (values.folder === undefined || (nodes !== 1 && nodes !== 2 && nodes !== 3)) {
  console.error('usage: start.ts --folder FOLDER [--nodes 1|2|3]')
  process.exit(2)
}
const runFile = runFileOf(values.folder)
if (existsSync(runFile)) {
  console.error(`${runFile} says that nodes were started there; run stop.ts --folder ${values.folder} first`)
  process.exit(1)
}
await mkdir(values.folder, { recursive: true })
const running = await startOpenSearch({ nodes, folder: values.folder, isDetached: true })
await writeFile(runFile, JSON.stringify({ url: running.url, nodes: running.nodes }, null, 2))
console.log(running.url)
