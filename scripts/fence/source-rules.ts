import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import type { Violation } from './violation.ts'

/** A rule that an import graph cannot see: it looks at the syntax of one file. */
interface SourceRule {
  readonly name: string
  readonly mend: string
  /** Files that the rule does not bind. */
  readonly except: RegExp
  readonly breaks: (node: ts.Node) => boolean
}

const sqlStatement = new RegExp(
  `^\\s*(${[
    'select\\s[\\s\\S]*\\bfrom\\s',
    'insert\\s+(or\\s+\\w+\\s+)?into\\s',
    'replace\\s+into\\s',
    'delete\\s+from\\s',
    'update\\s+\\S+\\s+set\\s',
    '(create|drop|alter)\\s+(unique\\s+|virtual\\s+|temp\\s+)?(table|index|trigger|view)\\s',
    'pragma\\s+\\w',
    'begin\\s+(immediate|exclusive|transaction)'
  ].join('|')})`,
  'i'
)

export const sourceRules: readonly SourceRule[] = [
  {
    name: 'environment-has-one-door',
    mend: 'Only apps/backend/src/config reads the environment; take the value as a parameter.',
    // A program that a test starts looks at what it was given.
    except: /^apps\/backend\/src\/config\/|[.]test[.]ts$|\/test-material\//,
    breaks: readsEnvironment
  },
  {
    name: 'sql-lives-in-store',
    mend: 'SQL is written in apps/backend/src/store and packages/engines/src/embedded only; call a function of theirs.',
    except: /^apps\/backend\/src\/store\/|^packages\/engines\/src\/embedded\/|[.]test[.]ts$/,
    breaks: isSql
  }
]

/** Holds every product file (apps and packages) against the source rules. */
export function checkSources(root: string, files: readonly string[]): Violation[] {
  return files.filter((file) => /^(apps|packages)\/.*[.]ts$/.test(file)).flatMap((file) => checkSource(root, file))
}

function checkSource(root: string, file: string): Violation[] {
  const rules = sourceRules.filter((rule) => !rule.except.test(file))
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const violations: Violation[] = []
  const visit = (node: ts.Node): void => {
    for (const rule of rules.filter((each) => each.breaks(node))) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
      violations.push({ rule: rule.name, file, what: `line ${line}: ${firstLine(node.getText())}`, mend: rule.mend })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return violations
}

/** `process.env`, `process['env']`, and `env` taken out of `process` or of node:process. */
function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isProcess(node.expression) && node.name.text === 'env'
  if (ts.isElementAccessExpression(node))
    return isProcess(node.expression) && literalText(node.argumentExpression) === 'env'
  if (ts.isImportDeclaration(node))
    return /^(node:)?process$/.test(literalText(node.moduleSpecifier)) && /\benv\b/.test(node.getText())
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name) || !node.initializer) return false
  return (
    isProcess(node.initializer) &&
    node.name.elements.some((element) => (element.propertyName ?? element.name).getText() === 'env')
  )
}

/** A literal that starts like a statement, in one case: "Select a file from the list" is prose. */
function isSql(node: ts.Node): boolean {
  const text = literalText(node)
  const [verb = ''] = /[a-z]+/i.exec(text) ?? []
  return (verb === verb.toUpperCase() || verb === verb.toLowerCase()) && sqlStatement.test(text)
}

function isProcess(node: ts.Node): boolean {
  return ts.isIdentifier(node)
    ? node.text === 'process'
    : ts.isPropertyAccessExpression(node) && node.name.text === 'process'
}

function literalText(node: ts.Node): string {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? node.text : ''
}

function firstLine(text: string): string {
  return (text.split('\n', 1)[0] ?? '').trim().slice(0, 100)
}
