import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { extract } from 'tar'
import { SCHEMA_VERSION } from '../migrations/migrate.ts'
import { storeFailure } from '../store-failure.ts'
import { type BackupManifest, type HashedFile, hashFile, MANIFEST_FILE, readManifest } from './manifest.ts'

export interface RestoreRequest {
  readonly file: string
  /** Must be missing or empty: what is there is never overwritten. */
  readonly dataDirectory: string
  readonly signal?: AbortSignal
}

export interface RestoreReport {
  readonly dataDirectory: string
  readonly files: number
  readonly manifest: Omit<BackupManifest, 'files'>
}

/**
 * Makes a data folder of a backup. Hashes and versions are checked first; the folder appears whole or not at all.
 * @throws AppError CONFLICT when the folder holds something; PATH_UNREADABLE, DATA_CORRUPT, DATA_FORMAT_NEWER, STORAGE_FULL
 */
export async function restoreBackup({ file, dataDirectory, signal }: RestoreRequest): Promise<RestoreReport> {
  const source = resolve(file)
  const target = resolve(dataDirectory)
  if (!existsSync(source)) throw missing(file)
  if (existsSync(target) && readdirSync(target).length > 0) throw notEmpty(target)
  let staging: string | undefined
  try {
    await mkdir(dirname(target), { recursive: true })
    staging = await mkdtemp(join(dirname(target), `.${basename(target)}-restore-`))
    await unpack(source, staging)
    signal?.throwIfAborted()
    const manifest = await readManifest(join(staging, MANIFEST_FILE), source)
    if (manifest.facts > SCHEMA_VERSION) throw newerFacts(source, manifest)
    await verify(source, staging, manifest.files)
    await rm(join(staging, MANIFEST_FILE))
    signal?.throwIfAborted()
    // An empty folder may be there; a folder is put in the place of an empty one in one step.
    await rename(staging, target)
    const { files, ...about } = manifest
    return { dataDirectory: target, files: files.length, manifest: about }
  } catch (cause) {
    signal?.throwIfAborted()
    throw storeFailure(cause, { operation: 'restore', subject: target, opening: true })
  } finally {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true })
  }
}

/** Files and folders only: a link in an archive leads wherever its maker wants. */
async function unpack(source: string, staging: string): Promise<void> {
  try {
    await extract({
      file: source,
      cwd: staging,
      strict: true,
      filter: (_path, entry) => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
    })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC') throw cause
    throw damaged(source, 'can not be unpacked', cause)
  }
}

/** Every file that the manifest names is there as it was, and none besides. */
async function verify(source: string, staging: string, files: readonly HashedFile[]): Promise<void> {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true })
  const found = new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(staging, join(entry.parentPath, entry.name)).split(sep).join('/'))
  )
  found.delete(MANIFEST_FILE)
  for (const { path, bytes, sha256 } of files) {
    if (!found.delete(path)) throw damaged(source, `lacks ${path}`)
    const now = await hashFile(join(staging, path))
    if (now.bytes !== bytes || now.sha256 !== sha256) throw damaged(source, `holds a ${path} that was changed`)
  }
  const [more] = found
  if (more !== undefined) throw damaged(source, `holds ${more}, which it does not list`)
}

function damaged(source: string, what: string, cause?: unknown): AppError {
  return new AppError('DATA_CORRUPT', {
    operation: 'restore',
    subject: source,
    message: `${source} ${what}. Nothing was restored.`,
    hint: 'Use another backup.',
    ...(cause === undefined ? {} : { cause })
  })
}

function missing(file: string): AppError {
  return new AppError('PATH_UNREADABLE', {
    operation: 'restore',
    subject: file,
    message: `${file} does not exist.`,
    hint: 'Name a file that oncall backup has written.'
  })
}

function notEmpty(target: string): AppError {
  return new AppError('CONFLICT', {
    operation: 'restore',
    subject: target,
    message: `${target} holds data already; restoring never overwrites.`,
    hint: 'Name a new folder with --data, or move the old one away.'
  })
}

function newerFacts(source: string, { version, facts }: BackupManifest): AppError {
  return new AppError('DATA_FORMAT_NEWER', {
    operation: 'restore',
    subject: source,
    message: `${source} was written by version ${version} (facts ${facts}, this version knows up to ${SCHEMA_VERSION}).`,
    hint: `Restore it with version ${version} or a later one.`
  })
}
