import { describe, expect, it } from 'vitest'
import { extractHtml } from './extract-html.ts'

const extract = (html: string) => extractHtml(Buffer.from(html), 'page.html', 2_000_000)
/** Each takes under a second on an idle machine; what is quadratic takes minutes. */
const limitMs = 20_000

describe('a page that is made to exhaust its reader', () => {
  it.each([
    ['100,000 levels', `${'<div>'.repeat(100_000)}the words`, /^the words$/],
    [
      '100,000 levels that are closed',
      `${'<div>'.repeat(100_000)}the words${'</div>'.repeat(100_000)}<p>after`,
      /^the words\n\nafter$/
    ],
    ['100,000 lists', '<ul><li>x'.repeat(100_000), /^- x\n {2}- x\n/],
    ['100,000 tables', `${'<table><tr><td>'.repeat(100_000)}the words`, /^the words$/],
    ['100,000 quotations', `${'<blockquote>'.repeat(100_000)}the words`, /^the words$/],
    ['100,000 emphases that stay open', '<b id=1><i><p>x'.repeat(30_000), /^x\n\nx\n/],
    [
      '300,000 attributes',
      `<p ${Array.from({ length: 300_000 }, (_, at) => `a${at}=1`).join(' ')}>the words`,
      /^the words$/
    ],
    [
      'an attribute of 10 MB',
      `<p style="${';'.repeat(10_000_000)}" title="${'x'.repeat(1_000_000)}">the words`,
      /^the words$/
    ],
    ['tags that never end', `the words${'<p title="'.repeat(100_000)}`, /^the words$/],
    ['comments that never end', `the words${'<!--'.repeat(300_000)}`, /^the words$/],
    ['200,000 things misplaced in a table', `<table>${'x<i>y</i>'.repeat(100_000)}`, /^(?:xy){100000}$/],
    ['ends without beginnings', `the words${'</p></div></table></li>'.repeat(50_000)}`, /^the words$/]
  ])('by %s is read within bounds', (_what, html, expected) => {
    const started = performance.now()
    expect(extract(html).text).toMatch(expected)
    expect(performance.now() - started).toBeLessThan(limitMs)
  })

  it('by its number of elements is refused', () => {
    expect(() => extract('<p>a'.repeat(500_001))).toThrow(
      expect.objectContaining({
        message: 'page.html has more than 500,000 elements',
        details: { file: 'page.html', reason: 'too-complex' }
      })
    )
  })

  it('loses nothing of a script that stands below the last level', () => {
    expect(extract(`${'<div>'.repeat(300)}a<script>b<p>c</script>d`).text).toBe('ad')
  })
})
