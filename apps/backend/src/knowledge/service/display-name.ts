import { AppError, invalidInput } from '@oncall-agent/api-contracts'

/** Bytes of UTF-8 that every file system takes as one name: what is downloaded can be saved. */
const NAME_BYTES = 255
/** Longer endings are no file type, and may be cut with the rest. */
const EXTENSION_BYTES = 16

/** Controls, lone surrogates and U+FFFD; marks that turn the direction of what follows and so hide how a name ends. */
const UNSEEN = /[\p{Cc}\p{Cs}\uFFFD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060\u2066-\u2069\uFEFF]/gu

/**
 * A file's name as people see it: never a path. Unicode is kept, composed (NFC); folders before the name, control
 * characters and marks of direction go; what is longer than a file system takes is cut between graphemes, before its
 * extension.
 * @throws AppError VALIDATION_FAILED when nothing is left
 */
export function displayName(given: string): string {
  const visible = given.normalize('NFC').replace(UNSEEN, '')
  const name = visible.slice(Math.max(visible.lastIndexOf('/'), visible.lastIndexOf('\\')) + 1).trim()
  if (/^\.*$/.test(name)) {
    throw invalidInput([{ field: 'file', problem: 'must have a file name' }], { operation: 'name document' })
  }
  return shortened(name)
}

/** The same for messages: what has no name is `file`. */
export function shownName(given: string): string {
  try {
    return displayName(given)
  } catch (error) {
    if (error instanceof AppError) return 'file'
    throw error
  }
}

function shortened(name: string): string {
  if (bytesOf(name) <= NAME_BYTES) return name
  const extension = /\.[^.]+$/.exec(name)?.[0] ?? ''
  const kept = bytesOf(extension) <= EXTENSION_BYTES ? extension : ''
  let room = NAME_BYTES - bytesOf(kept)
  let stem = ''
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(name.slice(0, name.length - kept.length))) {
    room -= bytesOf(segment)
    if (room < 0) break
    stem += segment
  }
  return stem + kept
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
