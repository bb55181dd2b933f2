import { open } from 'node:fs/promises'
import { tooLarge } from '../unreadable.ts'
import { describeAccess, unreadablePath } from './resolve-roots.ts'

/**
 * A file's bytes, if they are not too many.
 * @param source the file as the person knows it
 * @throws AppError PATH_UNREADABLE, PAYLOAD_TOO_LARGE
 */
export async function readFileBounded(path: string, source: string, maxBytes: number): Promise<Uint8Array> {
  let file
  try {
    file = await open(path, 'r')
  } catch (cause) {
    throw unreadablePath(source, describeAccess(cause), cause)
  }
  try {
    const { size } = await file.stat()
    if (size > maxBytes) throw tooLarge(source, 'bytes', maxBytes, size)
    // A file that grows while it is read is cut at what it was; the next run sees it whole.
    const bytes = new Uint8Array(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await file.read(bytes, filled, size - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return bytes.subarray(0, filled)
  } catch (cause) {
    const failed = cause instanceof Error && 'syscall' in cause
    throw failed ? unreadablePath(source, describeAccess(cause), cause) : cause
  } finally {
    await file.close()
  }
}
