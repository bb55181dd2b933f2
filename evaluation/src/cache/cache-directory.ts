import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'

/** Where embeddings and synthetic corpora stay between runs, unless `--cache` or `--data` says otherwise. */
export function defaultCacheDirectory(): string {
  return join(homedir(), '.cache', 'oncall-agent')
}

/** Makes the folder and gives its path. @throws AppError PATH_UNREADABLE */
export async function openCacheDirectory(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true })
    return path
  } catch (cause) {
    throw new AppError('PATH_UNREADABLE', {
      operation: 'open the cache folder',
      subject: path,
      message: `The cache folder ${path} cannot be made.`,
      hint: 'Name another one with --cache DIR.',
      details: { path },
      cause
    })
  }
}
