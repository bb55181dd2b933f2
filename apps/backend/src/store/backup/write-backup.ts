import { existsSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { create } from 'tar'
import { SCHEMA_VERSION } from '../migrations/migrate.ts'
import { storeFailure } from '../store-failure.ts'
import { BACKUP_FORMAT, type BackupManifest, hashFile, MANIFEST_FILE } from './manifest.ts'
import { snapshotOf, whileNobodyWrites } from './snapshot.ts'

export interface BackupRequest {
  readonly dataDirectory: string
  /** Where to; must not exist yet. */
  readonly file: string
  readonly version: string
  readonly embedder: BackupManifest['embedder']
  readonly signal?: AbortSignal
}

export interface BackupReport {
  readonly file: string
  readonly bytes: number
  /** Files in it: facts, index and uploads. */
  readonly files: number
}

/** Facts first: they are what can not be made again. */
const DATABASES = ['business.db', 'index.db']
const UPLOADS = 'files'

/**
 * Writes facts, index and uploaded files of one moment into one file, while others read and write. The file appears
 * whole or not at all.
 * @throws AppError CONFLICT when the file exists; NOT_FOUND without data; STORAGE_FULL, PATH_UNREADABLE, DATA_LOCKED
 */
export async function writeBackup(request: BackupRequest): Promise<BackupReport> {
  const target = resolve(request.file)
  if (existsSync(target)) throw conflict(target)
  const about = { operation: 'back up', subject: target, opening: true }
  let staging: string | undefined
  try {
    // Beside the target, so that the last step is a rename, and a full disk is the one that was chosen.
    staging = await mkdtemp(join(dirname(target), '.oncall-backup-'))
    await stageDatabases(request, staging)
    await stageUploads(request, staging)
    const manifest = await describe(request, staging)
    await writeFile(join(staging, MANIFEST_FILE), JSON.stringify(manifest, null, 2))
    const archive = join(staging, `${basename(target)}.part`)
    const names = [MANIFEST_FILE, ...manifest.files.map(({ path }) => path)]
    await create({ file: archive, cwd: staging, portable: true }, names)
    request.signal?.throwIfAborted()
    if (existsSync(target)) throw conflict(target)
    const { bytes } = await hashFile(archive)
    await rename(archive, target)
    return { file: target, bytes, files: manifest.files.length }
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw storeFailure(cause, about)
  } finally {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true })
  }
}

async function stageDatabases({ dataDirectory, signal }: BackupRequest, staging: string): Promise<void> {
  const present = DATABASES.filter((name) => existsSync(join(dataDirectory, name)))
  const [facts] = DATABASES.map((name) => join(dataDirectory, name))
  if (facts === undefined || !present.includes('business.db')) throw nothingThere(dataDirectory)
  const snapshots = whileNobodyWrites(facts, () => present.map((name) => snapshotOf(join(dataDirectory, name))))
  try {
    for (const [index, snapshot] of snapshots.entries()) {
      await snapshot.copyTo(join(staging, present[index]!))
      signal?.throwIfAborted()
    }
  } finally {
    for (const snapshot of snapshots) snapshot.release()
  }
}

/** Uploaded files are never changed, so a second name for each is a copy of it; another disk needs a real one. */
async function stageUploads({ dataDirectory, signal }: BackupRequest, staging: string): Promise<void> {
  const root = join(dataDirectory, UPLOADS)
  if (!existsSync(root)) return
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    signal?.throwIfAborted()
    const from = join(entry.parentPath, entry.name)
    const place = relative(root, from)
    // Files that are just arriving belong to no document.
    if (!entry.isFile() || place.startsWith(`incoming${sep}`)) continue
    const to = join(staging, UPLOADS, place)
    await mkdir(dirname(to), { recursive: true })
    await link(from, to).catch(() => copyFile(from, to).catch(leaveOutDeleted))
  }
}

/** Deleted since the moment of the snapshot: what the facts say of it is that it is being deleted. */
function leaveOutDeleted(cause: NodeJS.ErrnoException): void {
  if (cause.code !== 'ENOENT') throw cause
}

async function describe({ version, embedder }: BackupRequest, staging: string): Promise<BackupManifest> {
  const entries = await readdir(staging, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(staging, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
  const files = []
  for (const path of paths) files.push({ path, ...(await hashFile(join(staging, path))) })
  return { format: BACKUP_FORMAT, version, createdAt: new Date().toISOString(), facts: SCHEMA_VERSION, embedder, files }
}

function conflict(target: string): AppError {
  return new AppError('CONFLICT', {
    operation: 'back up',
    subject: target,
    message: `${target} exists already; a backup never overwrites.`,
    hint: 'Name another file.'
  })
}

function nothingThere(dataDirectory: string): AppError {
  return new AppError('NOT_FOUND', {
    operation: 'back up',
    subject: dataDirectory,
    message: `There is nothing to back up in ${dataDirectory}.`,
    hint: 'Name the data folder with --data.'
  })
}
