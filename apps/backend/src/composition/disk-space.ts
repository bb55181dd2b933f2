import { statfs } from 'node:fs/promises'

/** Below this the next upload with its index, or the log of a write, may not fit. */
const LOW_SPACE_BYTES = 256 * 1024 * 1024
const BYTES_IN_MB = 1_000_000

/** Megabytes that are free for this user. @throws Error when that is nearly nothing */
export async function freeSpace(dataDirectory: string): Promise<string> {
  const { bavail, bsize } = await statfs(dataDirectory)
  const free = `${Math.round((bavail * bsize) / BYTES_IN_MB)} MB free`
  if (bavail * bsize < LOW_SPACE_BYTES) throw new Error(`only ${free} on the disk of ${dataDirectory}`)
  return free
}
