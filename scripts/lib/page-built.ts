import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the page is built from; a change in any of it needs a build. */
const sources = ['apps/frontend', 'packages/api-contracts/src', 'package-lock.json']
const leftOut = new Set(['node_modules', 'dist', 'dist.next', 'dist.old', 'dev'])
/** Beside the page: what it was built from. */
const markOf = (root: string): string => join(root, 'apps/frontend/dist/built-from.txt')

/** Whether the built page is that of the sources as they are. Reads files; builds nothing. */
export function pageBuilt(root: string): boolean {
  const mark = markOf(root)
  return existsSync(mark) && readFileSync(mark, 'utf8') === fingerprint(root)
}

/** To be called when the page was built. */
export function markPageBuilt(root: string): void {
  writeFileSync(markOf(root), fingerprint(root))
}

function fingerprint(root: string): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesUnder(root, source))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** A file itself, or everything below a folder, in one order on every machine. */
function filesUnder(root: string, path: string): readonly string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => !leftOut.has(name))
    .toSorted()
    .flatMap((name) => filesUnder(root, `${path}/${name}`))
}

if (import.meta.main) {
  const [root = '.', action] = process.argv.slice(2)
  if (action === 'mark') markPageBuilt(root)
  else process.exitCode = pageBuilt(root) ? 0 : 1
}
