import { describe, expect, it } from 'vitest'
import { extractHtml } from './extract-html.ts'

const extract = (html: string | Uint8Array, name = 'page.html') =>
  extractHtml(Buffer.from(html as string), name, 2_000_000)
const text = (html: string, name?: string) => extract(html, name).text
const page = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

describe('blocks of a page', () => {
  it('are headings, paragraphs, lists, code and tables', () => {
    const { text: written, blocks } = extract(
      page(
        '<h1>Disk full</h1><p>One <b>two</b>\n  three.</p><ul><li>a</li><li>b</li></ul><pre>df -h\n</pre><h2>More</h2>tail'
      )
    )
    expect(written).toBe('# Disk full\n\nOne two three.\n\n- a\n- b\n\n```\ndf -h\n```\n\n## More\n\ntail')
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'list-item',
      'list-item',
      'code',
      'heading',
      'paragraph'
    ])
    for (const block of blocks) expect(written.slice(block.start, block.end).trim()).not.toBe('')
  })

  it('keep nested lists with their numbers and their indentation', () => {
    const list = '<ol start=3><li>stop<ul><li>a<li>b</ul><li><p>start</p><p>wait</p></ol>'
    expect(text(list)).toBe('3. stop\n   - a\n   - b\n4. start\n   wait')
    expect(text('<ul><li>a</li><ul><li>inner</li></ul></ul>')).toBe('- a\n  - inner')
  })

  it('keep code as it stands, with its language and without the numbers of its lines', () => {
    expect(text('<pre><code class="hljs language-bash">if a;\n   then b &lt; c\nfi\n</code></pre>')).toBe(
      '```bash\nif a;\n   then b < c\nfi\n```'
    )
    expect(text('<pre><div>one</div><div>two</div></pre>')).toBe('```\none\ntwo\n```')
    expect(text('<pre>a&nbsp;b<br>c</pre>')).toBe('```\na b\nc\n```')
    const numbered = '<table><tr><td class="linenos"><pre>1\n2</pre></td><td><pre>ls\npwd</pre></td></tr></table>'
    expect(text(numbered)).toBe('```\nls\npwd\n```')
    expect(text('<p>Run <code>df  -h</code> and <kbd>q</kbd>')).toBe('Run `df -h` and `q`')
  })

  it('keep quotations, definitions and what can be opened', () => {
    expect(text('<blockquote><p>quoted</blockquote><details><summary>More</summary>hidden no longer</details>')).toBe(
      'quoted\n\nMore\n\nhidden no longer'
    )
    expect(text('<dl><dt>E-1<dt>E-2<dd>disk<dd>full<div><dt>E-3</dt><dd>net</dd></div></dl>')).toBe(
      '- E-1\n  E-2\n  disk\n  full\n- E-3\n  net'
    )
  })

  it('keep the words of links, and addresses that lead somewhere', () => {
    expect(
      text('<p><a href="https://grafana.example/d/1">board</a>, <a href="/x">here</a>, <a href="#y">there</a>')
    ).toBe('[board](https://grafana.example/d/1), here, there')
    expect(text('<h2>Steps<a href="#steps">¶</a></h2><p>x <img src=a.png alt="the map"> <a href="#top">#</a>')).toBe(
      '## Steps\n\nx the map'
    )
  })

  it('are parted where an old page breaks its lines twice', () => {
    expect(text('<body>one<br>two<br><br>three<br>\n<br>four')).toBe('one\ntwo\n\nthree\n\nfour')
    expect(text('<p>中文\n   换行</p>')).toBe('中文换行')
  })

  it('have their entities decoded and no invisible character', () => {
    expect(text('<p>10<sup>6</sup> rows, H<sub>2</sub>O, 1<sup>st</sup>')).toBe('10^6 rows, H2O, 1st')
    expect(text('<p>a &lt;namespace&gt; &amp; &#x4E2D;&nbsp;b&shy;c&#8203;d&zwj;')).toBe('a <namespace> & 中 bcd')
  })
})

describe('tables of a page', () => {
  it('repeat a cell over the rows and columns that it spans', () => {
    const rows =
      '<tr><th>host<th>port<th>use</tr><tr><td rowspan=2>db<td>1<td>a|b<tr><td colspan="2"><p>two</p><p>lines</p>'
    expect(text(`<table><caption>Ports</caption>${rows}</table>`)).toBe(
      'Ports\n\n| host | port | use |\n| --- | --- | --- |\n| db | 1 | a\\|b |\n| db | two lines | two lines |'
    )
  })

  it('have one header, made of all rows of their head', () => {
    const head = '<thead><tr><th rowspan=2>a<th colspan=2>b</tr><tr><th>c<th>d</tr></thead>'
    const { blocks, text: written } = extract(`<table>${head}<tbody><tr><td>1<td>2<td>3</table>`)
    expect(written).toBe('| a | b c | b d |\n| --- | --- | --- |\n| 1 | 2 | 3 |')
    expect(blocks[0]).toMatchObject({ kind: 'table', header: { start: 0, end: 37 }, rows: [{ start: 38 }] })
  })

  it('that only place things are read as what they hold', () => {
    expect(text('<table><tr><td><h2>A</h2><p>x</td><td><table><tr><th>k<th>v<tr><td>1<td>2</table></table>')).toBe(
      '## A\n\nx\n\n| k | v |\n| --- | --- |\n| 1 | 2 |'
    )
    expect(text('<table><tr><td>one<tr><td>two</table>')).toBe('one\n\ntwo')
    expect(text('<table role=presentation><tr><td>one<td>two</table>')).toBe('one\n\ntwo')
  })

  it('cannot grow without end by what they span', () => {
    const bomb = `<table>${`<tr>${`<td colspan=100 rowspan=100>${'y'.repeat(1000)}`.repeat(2)}`.repeat(2000)}</table>`
    expect(() => extract(bomb)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }))
  })
})

describe('what is not read of a page', () => {
  it.each([
    ['scripts', '<script>if (a<b) SECRET()</script><noscript>SECRET</noscript><template><p>SECRET</template>'],
    ['styles', '<style>SECRET{}</style>'],
    ['comments', '<!-- SECRET --><!--[if IE]>SECRET<![endif]-->'],
    [
      'ways elsewhere',
      '<nav>SECRET</nav><div role="navigation">SECRET</div><footer>SECRET</footer><aside>SECRET</aside>'
    ],
    ['the banner', '<header><img alt=SECRET>SECRET</header>'],
    [
      'what is hidden',
      '<p hidden>SECRET<p aria-hidden="true">SECRET<div style="color:red; DISPLAY : none">SECRET</div>'
    ],
    ['hidden wrappers', '<div style="visibility:hidden"><div><p>SECRET</p></div></div>'],
    [
      'controls',
      '<button>SECRET</button><select><option>SECRET</select><textarea>SECRET</textarea><input value=SECRET>'
    ],
    ['drawings and frames', '<svg><text>SECRET</text></svg><iframe>SECRET</iframe><object>SECRET</object>']
  ])('%s', (_what, markup) => {
    expect(text(page(`<p>before</p>${markup}<p>after`))).toBe('before\n\nafter')
  })

  it('is all around the main part, where that is marked and holds most of the text', () => {
    const menu = '<div>menu</div>'
    expect(text(page(`${menu}<main><header>kept</header><p>the words of the page</main>${menu}`))).toBe(
      'kept\n\nthe words of the page'
    )
    expect(text(page(`${menu}<div role=main>the words of the page</div>`))).toBe('the words of the page')
    expect(text(page(`${menu}<article>the words of the page</article>`))).toBe('the words of the page')
  })

  it('is nothing where the mark says nothing: several articles, or a small one', () => {
    expect(text(page('<p>intro</p><article>one</article><article>two</article>'))).toBe('intro\n\none\n\ntwo')
    expect(text(page('<main>x</main><p>all of the words of this page</p>'))).toBe('x\n\nall of the words of this page')
  })
})

describe('what a page says about itself', () => {
  it('is its title: the only first heading, else that of the page without its site', () => {
    expect(extract(page('<h1>Disk <i>full</i></h1>x', '<title>Site</title>')).title).toBe('Disk full')
    const two = '<h1>a</h1><h1>b</h1>'
    expect(extract(page(two, '<title> Disk\n full - step 2 </title>')).title).toBe('Disk full - step 2')
    expect(
      extract(page(two, '<title>Disk full - step 2 | Wiki</title><meta property="og:site_name" content="Wiki">')).title
    ).toBe('Disk full - step 2')
    expect(extract(page(two, '<title>Untitled</title>')).title).toBeUndefined()
    expect(extract('<p>no title').title).toBeUndefined()
  })

  it('is its attributes, from meta elements', () => {
    const head =
      '<meta name="project" content="支付"><meta name="equipment" content="db-01"><meta name="knowledge-type" content="fault">' +
      '<meta name="error_codes" content="ORA-12516, E-1；E-2">'
    expect(extract(page('x', head)).attributes).toEqual({
      project: '支付',
      equipment: 'db-01',
      knowledgeType: 'fault',
      errorCodes: ['ORA-12516', 'E-1', 'E-2']
    })
    expect(extract(page('x')).attributes).toEqual({ errorCodes: [] })
  })
})

describe('wiki exports and XHTML', () => {
  it('keep the text of macros, with code in CDATA', () => {
    const macro =
      '<ac:structured-macro ac:name="toc" /><h2>Fix</h2><ac:structured-macro ac:name="code">' +
      '<ac:parameter ac:name="language">bash</ac:parameter><ac:plain-text-body><![CDATA[a > b && c\n  <d>]]></ac:plain-text-body>' +
      '</ac:structured-macro><p>See <ac:link><ri:page ri:content-title="Restart" /></ac:link> now.</p>' +
      '<ac:structured-macro ac:name="info"><ac:rich-text-body><p>inside</p></ac:rich-text-body></ac:structured-macro>'
    const task =
      '<ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body>do</ac:task-body></ac:task>'
    expect(text(`<ac:task-list>${task}</ac:task-list>`)).toBe('- do')
    expect(text(macro)).toBe('## Fix\n\n```bash\na > b && c\n  <d>\n```\n\nSee Restart now.\n\ninside')
  })

  it('close what is closed at once', () => {
    const body =
      '<p/><script src="x.js"/><a id="y"/><div/><table><tr><th>a</th><th>b</th></tr><tr><td/><td>2</td></tr></table>'
    const source = `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${body}<p>end</p></body></html>`
    expect(text(source)).toBe('| a | b |\n| --- | --- |\n|  | 2 |\n\nend')
    expect(text(`<html><body>${body}<p>end</p></body></html>`, 'a.XHTML')).toContain('end')
  })

  it('that open CDATA and never close it lose no time', () => {
    const started = performance.now()
    extract('<![CDATA['.repeat(200_000))
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
