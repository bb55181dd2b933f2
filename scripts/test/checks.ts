import { spawn } from 'node:child_process'
import type { Outcome } from './outcome.ts'

export interface Check {
  /** A sentence that is true when the check passes. */
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

/** What is proved about the source before any of it runs; each counts as one test. */
export const sourceChecks: readonly Check[] = [
  { name: 'no import crosses a boundary', command: ['node', 'scripts/fence/check-fence.ts'] },
  { name: 'the fence catches every planted violation', command: ['node', 'scripts/fence/check-canary.ts'] },
  { name: 'types agree', command: ['node_modules/.bin/tsc', '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types of the page agree',
    command: ['node_modules/.bin/vue-tsc', '--noEmit', '-p', 'apps/frontend/tsconfig.json']
  },
  { name: 'the linter finds nothing', command: ['node_modules/.bin/oxlint', '--deny-warnings'] },
  { name: 'the format is the agreed one', command: ['node_modules/.bin/oxfmt', '--check', '.'] },
  { name: 'no code is dead', command: ['node_modules/.bin/knip', '--no-progress'] }
]

/** Runs the checks one after another; what a failing one says is printed, a passing one costs a line. */
export async function runChecks(root: string, checks: readonly Check[]): Promise<Outcome> {
  const failures: string[] = []
  for (const check of checks) {
    const started = performance.now()
    const { exitCode, output } = await run(root, check.command)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${exitCode === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)`)
    if (exitCode === 0) continue
    console.log(output.trimEnd())
    failures.push(check.name)
  }
  return { passed: checks.length - failures.length, failures, skips: [] }
}

function run(root: string, [program, ...args]: Check['command']): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let output = ''
    child.stdout.on('data', (text: Buffer) => (output += text.toString()))
    child.stderr.on('data', (text: Buffer) => (output += text.toString()))
    child.once('error', reject)
    // A check that a signal ended has proved nothing.
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }))
  })
}
