import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Milliseconds for a program to say its version. */
const VERSION_TIMEOUT_MS = 20_000

/** As the projects call them, and as Debian does. */
const names = { prometheus: ['prometheus'], alertmanager: ['prometheus-alertmanager', 'alertmanager'] } as const

export interface AlertingPrograms {
  readonly prometheus: string
  readonly alertmanager: string
}

/** The programs on the path; undefined for what is not there. */
async function programs(): Promise<Partial<AlertingPrograms>> {
  const [prometheus, alertmanager] = await Promise.all([firstOf(names.prometheus), firstOf(names.alertmanager)])
  return {
    ...(prometheus === undefined ? {} : { prometheus }),
    ...(alertmanager === undefined ? {} : { alertmanager })
  }
}

/** Why the two cannot be run on this machine, as a test's name can say it; undefined when they can. */
export async function missingTool(): Promise<string | undefined> {
  const { prometheus, alertmanager } = await programs()
  if (prometheus === undefined) return 'needs prometheus on the path'
  return alertmanager === undefined ? 'needs prometheus-alertmanager or alertmanager on the path' : undefined
}

/** Whether tests that need them are skipped: in CI they are not, and starting them fails with what is missing. */
export function isSkipped(missing: string | undefined): boolean {
  return missing !== undefined && process.env['CI'] !== 'true'
}

/** @throws Error that says what is missing, and where it comes from */
export async function requirePrograms(): Promise<AlertingPrograms> {
  const missing = await missingTool()
  if (missing === undefined) return (await programs()) as AlertingPrograms
  throw new Error(`${missing}; Debian and Ubuntu have them: apt-get install prometheus prometheus-alertmanager`)
}

async function firstOf(candidates: readonly string[]): Promise<string | undefined> {
  for (const name of candidates) if (await answers(name)) return name
  return undefined
}

async function answers(name: string): Promise<boolean> {
  return run(name, ['--version'], { timeout: VERSION_TIMEOUT_MS }).then(
    () => true,
    // Not there, and there but unable to answer, come to the same.
    () => false
  )
}
