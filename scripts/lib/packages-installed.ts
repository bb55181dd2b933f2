import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockEntry {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
}

/**
 * Whether node_modules holds exactly what package-lock.json asks for, by npm's own record of its last install
 * (node_modules/.package-lock.json, which npm writes at the very end). Reads two files; installs nothing.
 * Packages that the lock calls optional may be absent: they are those of other processors.
 * @param root the folder of package-lock.json
 */
export function packagesInstalled(root: string): boolean {
  const record = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return false
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(record)
  const isAsWanted = ([path, entry]: [string, LockEntry]): boolean => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    if (!found) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && found.integrity === entry.integrity && found.link === entry.link
  }
  return Object.entries(wanted).every(isAsWanted) && Object.keys(installed).every((path) => path in wanted)
}

function readPackages(file: string): Record<string, LockEntry> {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> }
  return lock.packages
}

if (import.meta.main) process.exitCode = packagesInstalled(process.argv[2] ?? '.') ? 0 : 1
