import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { codeOf, filesOf, repository, textOf } from './markdown.ts'

/** Commands of the help page, which lists those of the product and those that bin/oncall hands to the evaluation. */
const help = execFileSync(join(repository, 'bin/oncall'), ['--help'], { encoding: 'utf8' })
const commands = [...help.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name)

const MENTION = /\boncall ([a-z]+)/g

/** Words after `oncall` in texts that a person reads: strings of the sources, and what comments put in backticks. */
function namedBySource(file: string): string[] {
  const text = textOf(file)
  const texts: string[] = text.match(/`oncall [^`\n]*`/g) ?? []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) texts.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return wordsOf(texts)
}

const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => [...text.matchAll(MENTION)].map(([, word = '']) => word))

const unknown = (words: readonly string[]): string[] => words.filter((word) => !commands.includes(word))

describe('a command that is named', () => {
  test('is one of the help page, which has those of both programs', () => {
    expect(commands).toEqual(
      expect.arrayContaining(['index', 'retrieve', 'serve', 'doctor', 'config', 'eval', 'bench'])
    )
  })

  test('in a message, a hint or a comment exists', () => {
    const sources = filesOf('{packages,apps,evaluation}/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
    const named = sources.map((file) => ({ file, words: namedBySource(file) }))
    expect(named.filter(({ words }) => words.length > 0).length).toBeGreaterThan(5)
    expect(named.flatMap(({ file, words }) => unknown(words).map((word) => `${file}: oncall ${word}`))).toEqual([])
  })

  test.each(filesOf('*.md', 'docs/**/*.md', '{packages,apps,evaluation}/**/*.md'))('in %s exists', (file) => {
    expect(unknown(wordsOf(codeOf(textOf(file))))).toEqual([])
  })
})
