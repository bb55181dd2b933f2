import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileLinksOf, filesOf, repository, textOf } from './markdown.ts'

const pages = filesOf('*.md', 'docs/**/*.md', '{packages,apps,evaluation,e2e}/**/README.md')

describe('the documents', () => {
  test('are found: the map, the guides, the decisions and the READMEs of packages', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/errors.md', 'packages/engines/README.md'])
    )
  })

  test.each(pages)('link only to what is there: %s', (page) => {
    const missing = fileLinksOf(textOf(page)).filter(
      (target) => !existsSync(join(repository, dirname(page), decodeURIComponent(target)))
    )
    expect(missing).toEqual([])
  })
})

describe('a link to a file', () => {
  test('is found in every form, without its fragment', () => {
    const text = 'See [a](x.md), ![b](y.png) and [c](z.md#part "title").\n\n[d]: ../w.md\n'
    expect(fileLinksOf(text)).toEqual(['x.md', 'y.png', 'z.md', '../w.md'])
  })

  test('is none when it leads to an address or a heading, or stands in code', () => {
    const text = '[a](https://example.org/x) [b](#part) [c](mailto:a@example.org) `[d](e)`\n\n```\n[f](g)\n```\n'
    expect(fileLinksOf(text)).toEqual([])
  })
})
