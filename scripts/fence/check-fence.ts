import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { cruiseImports } from './cruise-imports.ts'
import { checkSources } from './source-rules.ts'

const root = resolve(import.meta.dirname, '../..')

const { violations, modules } = await cruiseImports(root)
const all = [...violations, ...checkSources(root, modules)]
for (const { rule, file, what, mend } of all) console.error(`${rule}: ${file} ${what}\n    ${mend}`)

// A cruise that reads nothing finds nothing (it happens when the parser cannot load), so its reach is proved too.
const unread = sourceFiles(root).filter((file) => !modules.includes(file))
if (unread.length > 0)
  console.error(`The fence did not read ${unread.length} files, ${unread.slice(0, 5).join(', ')} among them.`)

console.log(`${modules.length} modules read, ${all.length} violations`)
process.exitCode = all.length > 0 || unread.length > 0 ? 1 : 0

function sourceFiles(folder: string): string[] {
  return ['apps', 'packages', 'evaluation', 'e2e']
    .flatMap((top) =>
      readdirSync(join(folder, top), { recursive: true, encoding: 'utf8' }).map((file) => `${top}/${file}`)
    )
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /[.]ts$/.test(file) && !/node_modules|[.]d[.]ts$|\/(dist|weights)\//.test(file))
}
