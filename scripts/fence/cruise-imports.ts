import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { importRules } from './import-rules.ts'
import type { Violation } from './violation.ts'

const cruisedFolders = ['apps', 'packages', 'evaluation', 'e2e', 'scripts']

/** What an import graph says: broken rules, and which modules were really read. */
export interface CruiseReport {
  readonly violations: readonly Violation[]
  /** Source files of ours that were parsed, relative to the root. */
  readonly modules: readonly string[]
}

/** Reads every import below `root`, type-only ones too, and holds it against the rules. */
export async function cruiseImports(root: string): Promise<CruiseReport> {
  const folders = cruisedFolders.filter((folder) => existsSync(join(root, folder)))
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: [...importRules] },
      tsPreCompilationDeps: true,
      doNotFollow: { path: ['node_modules'] },
      // Ours alone: excluding every /dist/ would hide most packages of npm from the rules.
      exclude: { path: ['^(apps|packages)/[^/]+/(dist|weights)/'] },
      // A workspace may use only what its own package.json declares.
      combinedDependencies: false
    },
    {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'types', 'default'],
      extensions: ['.ts', '.vue', '.js', '.mjs']
    },
    { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) }
  )
  const result = output as ICruiseResult
  return {
    violations: result.summary.violations.map((violation) => ({
      rule: violation.rule.name,
      file: violation.from,
      what: `imports ${violation.to}`,
      mend: importRules.find((rule) => rule.name === violation.rule.name)?.comment ?? ''
    })),
    modules: result.modules.map((module) => module.source).filter((source) => !source.includes('node_modules'))
  }
}
