import { resolve } from 'node:path'
import { runChecks, sourceChecks } from './checks.ts'
import { addOutcomes, summarise } from './outcome.ts'
import { runTests } from './run-tests.ts'

const root = resolve(import.meta.dirname, '../..')
const args = process.argv.slice(2)

if (args.some((arg) => arg !== '--all')) {
  console.error('usage: scripts/test.sh [--all]')
  process.exit(2)
}

const checks = await runChecks(root, sourceChecks)
const tests = await runTests(root)
const { lines, ok } = summarise(addOutcomes([checks, tests]), args.includes('--all'))
// Written by hand and waited for: process.exit would cut a pipe short, and a leaked handle would keep the process.
await new Promise<void>((done) => process.stdout.write(`\n${lines.join('\n')}\n`, () => done()))
process.exit(ok ? 0 : 1)
