import { readFileSync } from 'node:fs'
import { runCommandLine } from './cli/index.ts'
import { compose } from './compose.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

// Facts hold texts and hashes of passwords: what is made here is for this user alone.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv, (options) => compose(options, version), version)
