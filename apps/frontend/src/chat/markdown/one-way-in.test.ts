import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../..')
const files = globSync('**/*.{vue,ts}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))

/** Every way in which text becomes elements. */
const WAYS =
  /v-html|innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|setHTML|document\.write|srcdoc|dompurify/i

const usersOf = (pattern: RegExp): readonly string[] =>
  files
    .filter((file) => pattern.test(readFileSync(join(source, file), 'utf8')))
    .map((file) => file.replaceAll('\\', '/'))

test('text becomes elements in one place of the page, and only the view of an answer uses it', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(usersOf(WAYS)).toEqual(['chat/markdown/clean-nodes.ts'])
  expect(usersOf(/clean-nodes\.ts'/)).toEqual(['chat/markdown/markdown-view.ts'])
  expect(usersOf(/from 'markdown-it'|markdown-parser\.ts'/).toSorted()).toEqual([
    'chat/markdown/markdown-blocks.ts',
    'chat/markdown/markdown-parser.ts',
    'chat/markdown/marker-rule.ts'
  ])
})
