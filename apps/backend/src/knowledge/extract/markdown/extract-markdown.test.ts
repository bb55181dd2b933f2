import fc from 'fast-check'
import { type Block, chunkDocument } from '@oncall-agent/retrieval'
import { describe, expect, it } from 'vitest'
import { extractMarkdown } from './extract-markdown.ts'

const titleOf = (source: string) => extractMarkdown(source, false).title
const textOf = (source: string, mdx = false) => extractMarkdown(source, mdx).text
const blocksOf = (source: string) => {
  const { text, blocks } = extractMarkdown(source, false)
  return blocks.map((block: Block) => ({ kind: block.kind, text: text.slice(block.start, block.end) }))
}

describe('Markdown to text', () => {
  it('keeps paragraphs, and drops emphasis marks, escapes and character references', () => {
    expect(textOf('A **bold** _word_, 3 \\> 2 &amp; more&nbsp;text.\n\n\nNext.')).toBe(
      'A bold word, 3 > 2 & more text.\n\nNext.'
    )
  })

  it('keeps the words of links, and addresses that lead somewhere from anywhere', () => {
    expect(textOf('See [the map](/map.md#x), [Grafana](https://g.example/d/1) and <https://a.example/b>.')).toBe(
      'See the map, [Grafana](https://g.example/d/1) and https://a.example/b.'
    )
    expect(textOf('[runbook][r] ![diagram](d.png)\n\n[r]: https://r.example/x')).toBe(
      '[runbook](https://r.example/x) diagram'
    )
  })

  it('drops addresses that are longer than a person would read', () => {
    expect(textOf(`[panel](https://g.example/explore?state=${'x'.repeat(300)})`)).toBe('panel')
  })

  it('joins lines that were broken inside a Chinese sentence', () => {
    expect(textOf('先检查\n连接池上限，\n再重启 service\nnow')).toBe('先检查连接池上限，\n再重启 service\nnow')
  })

  it('makes both kinds of headings headings, plain and without anchors', () => {
    const { blocks } = extractMarkdown('Setext *title*\n====\n\nx\n\n## `kubectl` [use](x.md) {#use-it}\n\ny', false)
    expect(blocks.filter((block) => block.kind === 'heading')).toMatchObject([
      { level: 1, title: 'Setext title' },
      { level: 2, title: 'kubectl use' }
    ])
  })

  it('sees no heading in a fence, and keeps what is in it, a nested fence too', () => {
    const fence = '````md\n# no heading\n```\n  indented\t<b>&amp;</b> {{< x >}}\n```\n````'
    expect(blocksOf(`${fence}\n\n~~~sh\n:::tip\n~~~`)).toEqual([
      { kind: 'code', text: fence },
      { kind: 'code', text: '```sh\n:::tip\n```' }
    ])
  })

  it('makes one block of a list item and all that belongs to it', () => {
    const blocks = blocksOf('* Error 8001\n\n    Memory limit.\n\n    ```sh\n    top\n    ```\n\n* Error 8002\n  - sub')
    expect(blocks).toEqual([
      { kind: 'list-item', text: '- Error 8001\n  Memory limit.\n  ```sh\n  top\n  ```' },
      { kind: 'list-item', text: '- Error 8002\n  - sub' }
    ])
  })

  it('describes a long list item by its parts', () => {
    const long = 'word '.repeat(200)
    const kinds = blocksOf(`1. First\n\n   ${long}\n\n   \`\`\`sh\n   top\n   \`\`\`\n\n   - ${long}\n   - last`)
    expect(kinds.map((block) => block.kind)).toEqual(['list-item', 'list-item', 'code', 'list-item', 'list-item'])
    expect(kinds[0]!.text).toBe('1. First')
    expect(kinds[4]!.text).toBe('   - last')
  })

  it('collapses the padding of tables and tells header and rows', () => {
    const { text, blocks } = extractMarkdown(
      '| code     | what   |\n|:---------|-------:|\n| E-1      | a \\| b |\n| `E-2`    |        |',
      false
    )
    expect(text).toBe('| code | what |\n| --- | --- |\n| E-1 | a \\| b |\n| `E-2` |  |')
    const table = blocks[0]!
    if (table.kind !== 'table') throw new Error('no table')
    expect(text.slice(table.header.start, table.header.end)).toBe('| code | what |\n| --- | --- |')
    expect(table.rows.map((row) => text.slice(row.start, row.end))).toEqual(['| E-1 | a \\| b |', '| `E-2` |  |'])
  })

  it('drops comments wherever they stand', () => {
    expect(textOf('a<!-- x --> b\n\n<!-- y\n\n```\nz\n```\n-->\n\n- c <!-- w -->d')).toBe('a b\n\n- c d')
  })

  it('drops the marks of quotes and admonitions, and keeps their words', () => {
    expect(
      textOf('> **Note:**\n>\n> [!NOTE]\n> Mind it.\n\n:::tip Title\nInside.\n:::\n\n:::warning[Care]\nx\n:::')
    ).toBe('Note:\n\nMind it.\n\nTitle\n\nInside.\n\nCare\n\nx')
  })

  it('drops the shortcodes of site generators', () => {
    expect(textOf('{{< copyable "sql" >}}\n\nRun it.')).toBe('Run it.')
  })
})

describe('HTML in Markdown', () => {
  it('leaves the text of details, lists and headings, without tags', () => {
    const html =
      '<details>\n<summary>Full context</summary>\n\nInside **here**.\n\n</details>\n\n<h3>Steps</h3>\n<ul><li>one</li><li>two</li></ul>'
    const { text, blocks } = extractMarkdown(html, false)
    expect(text).toBe('Full context\n\nInside here.\n\n### Steps\n\n- one\n- two')
    expect(blocks[2]).toMatchObject({ kind: 'heading', level: 3, title: 'Steps' })
  })

  it('makes a Markdown table of an HTML table and repeats cells that span rows', () => {
    const html =
      '<table>\n  <tr><th>need</th><th>on</th></tr>\n\n  <tr>\n    <td rowspan="2">must</td>\n    <td>a<br/>b</td>\n  </tr>\n  <tr><td>c | d</td></tr>\n</table>'
    expect(blocksOf(html)).toEqual([
      { kind: 'table', text: '| need | on |\n| --- | --- |\n| must | a b |\n| must | c \\| d |' }
    ])
  })

  it('keeps a table that stands in a list item there', () => {
    expect(textOf('- item\n\n  <table><tr><td>k</td><td>v</td></tr></table>')).toBe(
      '- item\n  | k | v |\n  | --- | --- |'
    )
  })

  it('drops scripts, styles and their content, and keeps preformatted text', () => {
    expect(
      textOf('<style>b{}</style>\n\n<script>\nalert(1)\n\nalert(2)</script>\n\n<pre><code>ls  -l\n  x</code></pre>')
    ).toBe('```\nls  -l\n  x\n```')
  })

  it('keeps what only looks like a tag', () => {
    expect(textOf('kubectl -n <namespace> get <pod-name>, a < b, <T>')).toBe(
      'kubectl -n <namespace> get <pod-name>, a < b, <T>'
    )
    expect(textOf('<namespace>')).toBe('<namespace>')
  })
})

describe('MDX', () => {
  const mdx =
    "import Tabs from '@theme/Tabs';\nimport { a,\n  b } from './x'\n\nexport const f = () => {\n\n  return 1\n}\n\n# Use\n\n" +
    '<Tabs\n  groupId="g"\n  values={[\n    {label: \'L\', value: "v"},\n\n  ]}>\n<TabItem value="v">\n```bash\nrun <x> {y}\n```\n</TabItem>\n</Tabs>\n\n' +
    "Since <VersionAdd>1.2</VersionAdd> {/* note */}works.\n\n<Partial />\n\n<div style={{ display: 'none' }}>\nhidden\n</div>"

  it('loses imports, exports, tags and comments, and nothing else', () => {
    expect(textOf(mdx, true)).toBe('# Use\n\n```bash\nrun <x> {y}\n```\n\nSince 1.2 works.\n\nhidden')
  })

  it('is cleaned in plain Markdown files too, while prose about imports stays', () => {
    expect(textOf("import A from 'b'\n\nimport the data from the dump\n\nexport it")).toBe(
      'import the data from the dump\n\nexport it'
    )
    expect(textOf('text <Frame src={x} /> more')).toBe('text more')
  })

  it('leaves inline code and fences alone', () => {
    const source = '`<Tabs x={1}>` and ``{/* c */}``\n\n```js\nimport a from "b"\n:::x\n```'
    expect(textOf(source, true)).toBe('`<Tabs x={1}>` and `{/* c */}`\n\n```js\nimport a from "b"\n:::x\n```')
  })
})

describe('the title', () => {
  it('is that of the front matter, else the only first-level heading', () => {
    expect(titleOf('---\ntitle: A\n---\n# B\n\nx')).toBe('A')
    expect(titleOf('## early\n\n# B\n\n## C\n\nx')).toBe('B')
  })

  it('is nothing when first-level headings are sections, or there are none', () => {
    expect(titleOf('# One\n\nx\n\n# Two\n\ny')).toBeUndefined()
    expect(titleOf('text')).toBeUndefined()
  })
})

describe('any Markdown', () => {
  const pieces = [
    '# ',
    '## h\n',
    '\n',
    '\n\n',
    '```\n',
    '~~~\n',
    '- ',
    '1. ',
    '    ',
    '> ',
    '| a | b |\n',
    '|---|---|\n',
    '<td>',
    '<table>',
    '</table>',
    '<tr>',
    '<!--',
    '-->',
    '<details>',
    '</details>',
    '<Tabs x={',
    '}>',
    '{/*',
    '*/}',
    ':::tip\n',
    ':::\n',
    '`',
    '``',
    '[x](y)',
    '[x]: y\n',
    '*',
    '**',
    '\\',
    '&lt;',
    '<br>',
    '---\n',
    '===\n',
    'import a from "b"\n',
    'export const x = {\n',
    'word ',
    '中文。',
    '<li>',
    '<pre>',
    '</pre>',
    '|'
  ]

  it('gives blocks in order that the chunker accepts, and loses no plain word', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), fc.boolean(), (parts, mdx) => {
        const extraction = extractMarkdown(parts.join(''), mdx)
        for (const block of extraction.blocks) {
          expect(extraction.text.slice(block.start, block.end).trim()).not.toBe('')
        }
        const bound = { countTokens: (text: string) => text.length, max: 400 }
        chunkDocument(extraction, {
          strategy: 'markdown',
          size: 50,
          overlap: 5,
          measure: bound.countTokens,
          bound,
          title: ''
        })
      }),
      { numRuns: 400 }
    )
  })

  it('is read in time when it is made to be slow', () => {
    const hostile = [
      '<a x="',
      '<!--',
      '`'.repeat(50),
      '{/*',
      '<table><tr><td>',
      '[](',
      '> '.repeat(50),
      '*_',
      '<pre>',
      '| a '.repeat(20)
    ]
    const started = performance.now()
    for (const piece of hostile) extractMarkdown(piece.repeat(1_000), true)
    // Each takes milliseconds where the work grows with the length, and minutes where it grows faster.
    expect(performance.now() - started).toBeLessThan(30_000)
  })
})
