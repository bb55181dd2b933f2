import { statSync } from 'node:fs'
import { PortError } from '@oncall-agent/retrieval'

/**
 * Throws once the path no longer leads to the file that was opened. A connection goes on reading a file that was moved
 * or deleted; an answer from it would be about a folder that is not there any more, and would look like any other.
 */
export type SameFileCheck = () => void

export function sameFileCheck(path: string): SameFileCheck {
  const opened = identityOf(path)
  return () => {
    const found = identityOf(path)
    if (found !== null && found === opened) return
    throw new PortError('unavailable', {
      operation: 'read index',
      subject: path,
      reason: found === null ? 'the file was moved or deleted while it was open' : 'another file was put in its place',
      hint: 'Start this process again to serve what is there now.'
    })
  }
}

/** Device and file number; null when nothing is there. */
function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}`
}
