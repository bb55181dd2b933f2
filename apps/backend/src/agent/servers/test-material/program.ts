import { existsSync, writeFileSync } from 'node:fs'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createTestToolServer } from './tools.ts'

/** Kept in the folder that it runs in, for the next start. */
const changed = {
  get is() {
    return existsSync('changed')
  },
  set is(_: boolean) {
    writeFileSync('changed', '')
  }
}

/** The test's server as a program; its argument says how it misbehaves. */
const [manner] = process.argv.slice(2)
if (manner === 'ends') {
  console.error(`no configuration for ${process.env.TEST_SECRET ?? 'nobody'}`)
  process.exit(7)
}
if (manner === 'stubborn') {
  process.on('SIGTERM', () => undefined)
  // Keeps running when nobody speaks to it any more.
  setInterval(() => undefined, 1_000)
}
if (manner === 'noisy') console.log('Starting up: not a message at all')
if (manner === 'babbling') setInterval(() => process.stdout.write('no message\n'.repeat(10_000)), 1)
if (manner === 'endless') setInterval(() => process.stdout.write('x'.repeat(1_000_000)), 1)
if (manner === 'silent') setInterval(() => undefined, 1_000)
else {
  await createTestToolServer({ changed }).connect(new StdioServerTransport())
}
