import { describe, expect, it } from 'vitest'
import { MarkupJudge, readTag } from './markup-tags.ts'
import { proseSegments } from './prose-segments.ts'

describe('reading a tag', () => {
  it.each([
    ['<td rowspan="2">x', { name: 'td', kind: 'open', end: 16, hasAttributes: true, onlyJsx: false }],
    ['</details> y', { name: 'details', kind: 'close', end: 10 }],
    ['<br/>', { name: 'br', kind: 'self-closing' }],
    ['<a title="a > b">', { name: 'a', end: 17 }],
    ['<Tabs values={[{a: "}"}]}>', { name: 'Tabs', onlyJsx: true }],
    ['<Tabs\n  id="x"\n>', { name: 'Tabs', end: 16, onlyJsx: true }],
    ['<Docs.Note>', { name: 'Docs.Note' }],
    ['</>', { name: '', kind: 'close' }]
  ])('understands %j', (source, expected) => {
    expect(readTag(source, 0)).toMatchObject(expected)
  })

  it.each([
    '<',
    '< b',
    '<3',
    '<a',
    '<a b',
    '<a\n\nb>',
    '<a <b>',
    '<ops@example.org>',
    '<https://x.example>',
    '<a x="unclosed>',
    '<a x={unclosed>'
  ])('sees no tag in %j', (source) => {
    expect(readTag(source, 0)).toBeUndefined()
  })
})

const isMarkup = (tag: string, source = tag, mdx = false) => new MarkupJudge(source, mdx).isMarkup(readTag(tag, 0)!)

describe('judging a tag', () => {
  it('takes HTML, components in use and MDX for markup, and lone unknown names for text', () => {
    expect(isMarkup('<DIV>')).toBe(true)
    expect(isMarkup('<VersionAdd>', 'since <VersionAdd>1.2</VersionAdd>')).toBe(true)
    expect(isMarkup('<Note type="x">')).toBe(true)
    expect(isMarkup('<Partial />')).toBe(true)
    expect(isMarkup('<Partial>', '<Partial>', true)).toBe(true)
    expect(isMarkup('<namespace>')).toBe(false)
    expect(isMarkup('<TableName>')).toBe(false)
    expect(isMarkup('<PID>', '<PID>', true)).toBe(false)
  })
})

describe('segments of a source', () => {
  it('joined are the source again, and fences end where they end', () => {
    const source =
      'a\n\n````md\n```\nx\n```\n````\nb\n> ~~~\n> y\n> ~~~\n1. ```sh\n   z\n   ```\nno ``` fence `here`\n```open'
    const segments = proseSegments(source)
    expect(segments.map((segment) => segment.text).join('')).toBe(source)
    expect(segments.filter((segment) => segment.kind === 'fence').map((segment) => segment.text)).toEqual([
      '````md\n```\nx\n```\n````\n',
      '> ~~~\n> y\n> ~~~\n',
      '1. ```sh\n   z\n   ```\n',
      '```open'
    ])
  })
})
