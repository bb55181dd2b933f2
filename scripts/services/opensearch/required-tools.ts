import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The oldest Java that this OpenSearch is run on here. */
const JAVA_VERSION = 17
/** Milliseconds for a program to say its version. */
const VERSION_TIMEOUT_MS = 20_000

/** Why OpenSearch cannot be built and run on this machine, as a test's name can say it; undefined when it can. */
export async function missingTool(): Promise<string | undefined> {
  const java = await versionOf('java', '-version')
  // "17.0.15" since Java 9, "1.8.0" before.
  const major = Number(/version "(\d+)/.exec(java ?? '')?.[1] ?? 0)
  if (major < JAVA_VERSION) return `needs Java ${JAVA_VERSION} or later on the path`
  if ((await versionOf('javac', '-version')) === undefined) return 'needs a JDK: javac is not on the path'
  if ((await versionOf('mvn', '-v')) === undefined) return 'needs Maven: mvn is not on the path'
  return undefined
}

/** Whether tests that need OpenSearch are skipped: in CI they are not, and starting it fails with what is missing. */
export function isSkipped(missing: string | undefined): boolean {
  return missing !== undefined && process.env['CI'] !== 'true'
}

async function versionOf(command: string, option: string): Promise<string | undefined> {
  return run(command, [option], { timeout: VERSION_TIMEOUT_MS }).then(
    ({ stdout, stderr }) => stdout + stderr,
    // Not there, and there but unable to answer, come to the same.
    () => undefined
  )
}
