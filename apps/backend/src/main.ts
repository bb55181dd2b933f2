import { readFileSync } from 'node:fs'
import { runCommandLine } from './cli/index.ts'
import { compose } from './compose.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

process.exitCode = await runCommandLine(process.argv, (options) => compose(options, version), version)
