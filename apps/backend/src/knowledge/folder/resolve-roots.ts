import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'

/** A path that a person gave, resolved: its symbolic links followed. */
export interface Root {
  /** As given; used in messages. */
  readonly given: string
  readonly path: string
  readonly kind: 'folder' | 'file'
}

/**
 * Checks every given path before any work. Paths that lie in another given one are left out: they are walked with it.
 * @throws AppError PATH_UNREADABLE, naming the path and why
 */
export async function resolveRoots(paths: readonly string[]): Promise<readonly Root[]> {
  const roots: Root[] = []
  for (const given of paths) roots.push(await resolveRoot(given))
  return roots.filter(
    (root, index) =>
      !roots.some(
        (other, at) => at !== index && (root.path === other.path ? at < index : isInside(root.path, other.path))
      )
  )
}

/** True for the folder itself and everything under it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Where people find a file, and the folder that this is relative to: `runbooks/disk.md` in `/srv`, whether
 * `/srv/runbooks` or the file itself was given, so that both name it alike.
 */
export function displayPlace(root: Root, path: string): { readonly source: string; readonly folder: string } {
  const folder = dirname(root.kind === 'folder' ? root.path : dirname(root.path))
  return { source: relative(folder, path).split(sep).join('/'), folder }
}

/** The file that a stored document came from. */
export function placeToPath(folder: string, source: string): string {
  return join(folder, ...source.split('/'))
}

async function resolveRoot(given: string): Promise<Root> {
  try {
    const path = await realpath(given)
    const found = await stat(path)
    if (!found.isDirectory() && !found.isFile()) throw unreadablePath(given, 'is neither a file nor a folder')
    // A folder is read by listing it, which needs the right to enter it too.
    await access(path, found.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK)
    return { given, path, kind: found.isDirectory() ? 'folder' : 'file' }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // Node decodes the arguments of a program; what is no UTF-8 comes as replacement characters, and leads nowhere.
    throw unreadablePath(given, given.includes('\uFFFD') ? nameNotUtf8 : describeAccess(cause), cause)
  }
}

/** Continues a sentence, as `describeAccess` does. */
export const nameNotUtf8 = 'could not be read: its name is not valid UTF-8; rename it'

/** What a failed access means, in words that continue a sentence. */
export function describeAccess(cause: unknown): string {
  switch (cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined) {
    case 'ENOENT':
      return 'does not exist'
    case 'ENOTDIR':
      return 'does not exist: part of it is a file, not a folder'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user'
    case 'ELOOP':
      return 'is a symbolic link that leads back to itself'
    default:
      return 'could not be read'
  }
}

/** A folder that is not there may be a disk that is not mounted, so its documents are never removed by themselves. */
export const stillServed = 'What was indexed from there before is still found; oncall forget <path> removes it.'

export function unreadablePath(path: string, problem: string, cause?: unknown): AppError {
  return new AppError('PATH_UNREADABLE', {
    operation: 'read path',
    subject: path,
    message: `${path === '' ? 'An empty path' : path} ${problem}`,
    hint: stillServed,
    details: { path },
    ...(cause === undefined ? {} : { cause })
  })
}
