import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const repository = resolve(import.meta.dirname, '../..')

/** Files of the repository by patterns, as paths relative to it; never those of installed packages. */
export function filesOf(...patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: repository, exclude: (name) => name === 'node_modules' }).toSorted()
}

export function textOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8')
}

const FENCED = /^```[\s\S]*?^```/gm
const INLINE_CODE = /`[^`\n]+`/g

/** What stands as code in a Markdown text: fenced blocks and what is between backticks. */
export function codeOf(markdown: string): string[] {
  return [...(markdown.match(FENCED) ?? []), ...(markdown.replaceAll(FENCED, '').match(INLINE_CODE) ?? [])]
}

/** Targets of the links of a Markdown text that lead to files: without fragment, none with a scheme. */
export function fileLinksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(FENCED, '').replaceAll(INLINE_CODE, '')
  const targets = [...prose.matchAll(/\]\(\s*([^)\s]+)/g), ...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)]
  return targets
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z][a-z+.-]*:/i.test(target))
}
