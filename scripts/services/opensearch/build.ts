import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { holdLock } from './lock.ts'

const run = promisify(execFile)

const POM = join(import.meta.dirname, 'pom.xml')
const SOURCES = join(import.meta.dirname, 'src')
/** Milliseconds for Maven to bring 60 MB; a cold machine has needed 16 s. */
const MAVEN_TIMEOUT_MS = 240_000
const COMPILE_TIMEOUT_MS = 60_000

/** Outside of the repository, so that a fresh clone on the same machine builds nothing. */
function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'oncall-agent')
}

/**
 * The class path of a node, built once a machine and version: Maven brings the jars, javac compiles the two classes of ours.
 * Several processes may ask at once; one builds, the others wait.
 * @throws Error with the last words of Maven or javac
 */
export async function buildOpenSearch(cache = cacheFolder()): Promise<string> {
  const folder = join(cache, `opensearch-${await sourceDigest()}`)
  await mkdir(cache, { recursive: true })
  if (!existsSync(folder)) {
    const release = await holdLock(`${folder}.lock`)
    try {
      if (!existsSync(folder)) await buildInto(folder, cache)
    } finally {
      await release()
    }
  }
  return ['classes', 'lib/*', 'knn/*'].map((part) => join(folder, part)).join(':')
}

/** Complete under another name first: a build that was cut short is never taken for one. */
async function buildInto(folder: string, cache: string): Promise<void> {
  const draft = await mkdtemp(join(cache, 'opensearch-draft-'))
  try {
    const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${join(draft, 'lib')}`]
    await spoken('mvn', ['--quiet', '--batch-mode', '--file', POM, ...copy], MAVEN_TIMEOUT_MS)
    await unpackPlugin(draft)
    const javac = ['-nowarn', '-d', join(draft, 'classes'), '-cp', `${join(draft, 'lib/*')}:${join(draft, 'knn/*')}`]
    const classes = (await readdir(SOURCES)).filter((file) => file.endsWith('.java'))
    await spoken('javac', [...javac, ...classes.map((file) => join(SOURCES, file))], COMPILE_TIMEOUT_MS)
    await copyFile(join(SOURCES, 'log4j2.properties'), join(draft, 'classes/log4j2.properties'))
    await rename(draft, folder).catch((error: unknown) => {
      // Two waiters may have taken one dead holder's lock; then the other's build is as good.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function unpackPlugin(draft: string): Promise<void> {
  const zip = (await readdir(join(draft, 'lib'))).find((file) => file.endsWith('.zip'))
  if (zip === undefined) throw new Error('Maven brought no archive of the k-NN plugin')
  await mkdir(join(draft, 'knn'))
  await run('jar', ['xf', join(draft, 'lib', zip)], { cwd: join(draft, 'knn'), timeout: COMPILE_TIMEOUT_MS })
  await rm(join(draft, 'lib', zip))
}

async function spoken(command: string, options: readonly string[], timeout: number): Promise<void> {
  try {
    await run(command, [...options], { timeout })
  } catch (failed) {
    const { stdout = '', stderr = '' } = failed as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${command} could not build OpenSearch: ${`${stdout}\n${stderr}`.trim().slice(-2_000)}`, {
      cause: failed
    })
  }
}

async function sourceDigest(): Promise<string> {
  const hash = createHash('sha256')
  const files = (await readdir(SOURCES)).toSorted().map((file) => join(SOURCES, file))
  for (const file of [POM, ...files]) hash.update(await readFile(file))
  return hash.digest('hex').slice(0, 12)
}
