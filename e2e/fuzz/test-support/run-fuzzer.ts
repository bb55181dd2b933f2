import { execFile } from 'node:child_process'
import { join } from 'node:path'

/** What is held against the description, for each answer. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'unsupported_method',
  'allow_header_conformance'
]
/** The same requests each time: a run that fails can be run again. */
const SEED = '20261201'
/** Milliseconds; far above what a run needs, far below what a build waits. */
const RUN_TIMEOUT_MS = 120_000
const CONFIG_FILE = join(import.meta.dirname, 'fuzzer.toml')
/** Characters of a line of the report: a request of megabytes is in it whole. */
const LINE_LIMIT = 2_000

export interface FuzzerRun {
  readonly executable: string
  /** File of the description. */
  readonly description: string
  readonly address: string
  /** `coverage` tries the edges of every schema one by one; `fuzzing` makes up requests, good and bad. */
  readonly phases: readonly ('examples' | 'coverage' | 'fuzzing')[]
  /** Requests made up for each operation, at most. */
  readonly examples: number
  /** A header to show who asks. */
  readonly credentials?: { readonly name: string; readonly value: string }
  readonly moreChecks?: readonly string[]
  /** Operations that would end what the run needs. */
  readonly without?: readonly string[]
}

/** Runs the fuzzer against a server. `report` is what it says of each failure, with the request to try it again. */
export function runFuzzer(run: FuzzerRun): Promise<{ readonly ok: boolean; readonly report: string }> {
  const { executable, description, address, phases, examples, credentials, moreChecks = [], without = [] } = run
  const options: Readonly<Record<string, string>> = {
    url: address,
    phases: phases.join(','),
    checks: [...CHECKS, ...moreChecks].join(','),
    'max-examples': String(examples),
    seed: SEED,
    workers: '2',
    'request-timeout': '20',
    warnings: 'off',
    'generation-database': 'none',
    'suppress-health-check': 'all',
    // With credentials of our own, leaving out those it would make up is nothing bad of a request.
    ...(credentials ? { 'generation-with-security-parameters': 'false' } : {}),
    ...(credentials ? { header: `${credentials.name}: ${credentials.value}` } : {})
  }
  const args = ['--config-file', CONFIG_FILE, 'run', description, '--no-color', '--continue-on-failure']
  for (const [name, value] of Object.entries(options)) args.push(`--${name}`, value)
  for (const operation of without) args.push('--exclude-operation-id', operation)
  return new Promise((resolve) => {
    execFile(executable, args, { timeout: RUN_TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ ok: error === null, report: shortened(`${stdout}\n${stderr}`) })
    )
  })
}

function shortened(report: string): string {
  const lines = report.split('\n')
  return lines.map((line) => (line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}…` : line)).join('\n')
}
