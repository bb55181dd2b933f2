import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { cruiseImports } from './cruise-imports.ts'
import { importRules } from './import-rules.ts'
import { doors, innocents, plants } from './plants.ts'
import { checkSources, sourceRules } from './source-rules.ts'
import type { Violation } from './violation.ts'

const root = resolve(import.meta.dirname, '../..')

function isSource(path: string): boolean {
  return !/\/(node_modules|weights|dist)$/.test(path.replaceAll('\\', '/'))
}

/** Copies sources and manifests; packages are linked, and the workspaces' own names lead into the copy. */
function copyTree(copy: string): void {
  for (const entry of ['apps', 'packages', 'evaluation', 'e2e', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, entry), join(copy, entry), { recursive: true, filter: isSource })
  }
  linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'))
  const scope = join(copy, 'node_modules/@oncall-agent')
  mkdirSync(scope)
  for (const workspace of [
    'packages/api-contracts',
    'packages/bundled-models',
    'packages/engines',
    'packages/retrieval',
    'apps/backend',
    'evaluation',
    'e2e'
  ]) {
    symlinkSync(join(copy, workspace), join(scope, workspace.split('/').at(-1) ?? workspace))
  }
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from).filter((name) => !name.startsWith('.') && name !== '@oncall-agent')) {
    symlinkSync(join(from, entry), join(to, entry), 'junction')
  }
}

function writePlants(copy: string): void {
  for (const door of doors) if (!existsSync(join(copy, door))) write(copy, door, 'export const door = 1\n')
  for (const { file, text } of [...plants, ...innocents]) write(copy, file, text)
}

function write(copy: string, file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true })
  writeFileSync(join(copy, file), text)
}

function judge(violations: readonly Violation[]): string[] {
  const caught = (rule: string, file: string): boolean =>
    violations.some((each) => each.rule === rule && each.file === file)
  const planted = plants.flatMap(({ rule, file }) => (rule ? [{ rule, file }] : []))
  const rules = [...importRules, ...sourceRules].map((rule) => rule.name)
  return [
    ...planted.filter(({ rule, file }) => !caught(rule, file)).map(({ rule, file }) => `missed: ${rule} in ${file}`),
    ...rules
      .filter((rule) => !planted.some((each) => each.rule === rule))
      .map((rule) => `no violation is planted for ${rule}`),
    ...violations
      .filter((each) => innocents.some(({ file }) => file === each.file))
      .map((each) => `wrongly caught: ${each.rule} in ${each.file} ${each.what}`)
  ]
}

const copy = mkdtempSync(join(tmpdir(), 'oncall-canary-'))
try {
  copyTree(copy)
  writePlants(copy)
  const { violations, modules } = await cruiseImports(copy)
  const faults = judge([...violations, ...checkSources(copy, modules)])
  for (const fault of faults) console.error(fault)
  console.log(`${plants.filter(({ rule }) => rule).length} violations planted, ${faults.length} faults of the fence`)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}
