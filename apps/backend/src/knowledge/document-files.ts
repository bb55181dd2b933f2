import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { readFileBounded } from './folder/read-file-bounded.ts'
import { tooLarge } from './unreadable.ts'

const INCOMING = 'incoming'

/** A version of a document, as its file is found. */
export interface FileOf {
  readonly documentId: string
  readonly version: number
}

/** Where the bytes of a version lie: under ids of our own, never under a name that was given. */
export function storedFile(dataDirectory: string, { documentId, version }: FileOf): string {
  return join(filesOf(dataDirectory), documentId, String(version))
}

export function filesOf(dataDirectory: string): string {
  return join(dataDirectory, 'files')
}

export function incomingFiles(dataDirectory: string): string {
  return join(filesOf(dataDirectory), INCOMING)
}

export interface Arriving {
  /** For messages only. */
  readonly fileName: string
  readonly content: AsyncIterable<Uint8Array>
  readonly maxBytes: number
}

/**
 * Writes what arrives, and waits until the disk has it. When anything fails nothing is left of it.
 * @throws AppError PAYLOAD_TOO_LARGE, STORAGE_FULL
 */
export async function writeIncoming(dataDirectory: string, arriving: Arriving) {
  const folder = incomingFiles(dataDirectory)
  const path = join(folder, randomUUID())
  try {
    await mkdir(folder, { recursive: true })
    const file = await open(path, 'wx', 0o600)
    try {
      return { path, ...(await writeBounded(file, arriving)) }
    } finally {
      await file.close()
    }
  } catch (cause) {
    await rm(path, { force: true })
    throw storingFailed(cause)
  }
}

async function writeBounded(file: FileHandle, { fileName, content, maxBytes }: Arriving) {
  const hash = createHash('sha256')
  let byteSize = 0
  for await (const piece of content) {
    byteSize += piece.length
    if (byteSize > maxBytes) throw tooLarge(fileName, 'bytes', maxBytes, byteSize)
    hash.update(piece)
    await file.writeFile(piece)
  }
  await file.sync()
  return { byteSize, sha256: hash.digest('hex') }
}

/**
 * Makes a received file that of a version, on the disk. A file that a transaction left behind when it was undone is
 * overwritten.
 */
export async function adoptFile(dataDirectory: string, received: string, of: FileOf): Promise<void> {
  const folder = join(filesOf(dataDirectory), of.documentId)
  try {
    await mkdir(folder, { recursive: true })
    await rename(received, storedFile(dataDirectory, of))
    await Promise.all([syncFolder(folder), syncFolder(filesOf(dataDirectory))])
  } catch (cause) {
    throw storingFailed(cause)
  }
}

/**
 * A file's bytes.
 * @param fileName as people know it
 * @throws AppError PAYLOAD_TOO_LARGE, SYSTEM_UNAVAILABLE
 */
export async function readStored(path: string, fileName: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readFileBounded(path, fileName, maxBytes)
  } catch (cause) {
    // The path is ours and not the caller's: that it can not be read is no fault of theirs.
    if (!(cause instanceof AppError) || cause.code !== 'PATH_UNREADABLE') throw cause
    const message = `The stored file of ${fileName} could not be read.`
    throw new AppError('SYSTEM_UNAVAILABLE', { operation: 'read stored file', subject: path, message, cause })
  }
}

export async function removeFiles(dataDirectory: string, documentId: string): Promise<void> {
  await rm(join(filesOf(dataDirectory), documentId), { recursive: true, force: true })
}

/** Files of versions before one that is indexed: nobody asks for them any more. */
export async function removeOlderFiles(dataDirectory: string, documentId: string, version: number): Promise<void> {
  for (const name of await namesIn(join(filesOf(dataDirectory), documentId))) {
    if (Number(name) < version)
      await rm(storedFile(dataDirectory, { documentId, version: Number(name) }), { force: true })
  }
}

/** Names in a folder that are older than a time; none when there is no such folder. */
export async function namesOlderThan(folder: string, time: number): Promise<readonly string[]> {
  const old: string[] = []
  for (const name of await namesIn(folder)) {
    const found = await stat(join(folder, name)).catch(absent)
    if (found !== undefined && found.mtimeMs < time) old.push(name)
  }
  return old
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(absent)) ?? []
}

/** Another process, or another call, may have removed it. @throws every other failure again */
function absent(cause: unknown): undefined {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
  throw cause
}

/** A renamed file is there after a loss of power only once its folder is on the disk. Windows has no such call. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const NO_SPACE: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG']

/** Failures of the file system in words of the catalogue; what the sender or the caller did wrong stays as it is. */
function storingFailed(cause: unknown): unknown {
  if (cause instanceof AppError || !(cause instanceof Error) || !('syscall' in cause)) return cause
  const full = 'code' in cause && NO_SPACE.includes(cause.code)
  return new AppError(full ? 'STORAGE_FULL' : 'SYSTEM_UNAVAILABLE', {
    operation: 'store file',
    subject: 'files',
    cause,
    ...(full ? { hint: 'Free some space, then try again.' } : {})
  })
}
