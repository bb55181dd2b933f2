import { beforeEach, describe, expect, test } from 'vitest'
import { hostileText, longText } from '../../../dev/sample-answers.ts'
import { cleanNodes } from './clean-nodes.ts'
import { markdownView, type ViewWords } from './markdown-view.ts'

const words: ViewWords = { marker: (n) => `Source ${n}`, copy: 'Copy', copyLabel: 'Copy the code', table: 'Table' }
let host: HTMLElement
beforeEach(() => {
  host = document.createElement('div')
  document.body.replaceChildren(host)
})

function drawn(text: string, markers: readonly number[] = [1, 2]): HTMLElement {
  markdownView(host).draw({ text, markers: new Set(markers), whole: true, words })
  return host
}

const buttons = (): (string | undefined)[] =>
  [...host.querySelectorAll<HTMLElement>('button.marker')].map((each) => each.dataset.marker)

/** Everything that could do something, wherever it hides. */
function dangers(root: ParentNode): readonly string[] {
  return [...root.querySelectorAll('*')].flatMap((element) => [
    ...(/^(script|style|iframe|object|embed|svg|math|img|form|input|template|base|link|meta)$/.test(element.localName)
      ? [element.localName]
      : []),
    ...[...element.attributes]
      .filter(
        ({ name, value }) => name.startsWith('on') || name === 'src' || /^\s*(javascript|data|vbscript):/i.test(value)
      )
      .map(({ name, value }) => `${name}=${value}`)
  ])
}

describe('what a document says stays text', () => {
  test('all of it at once: scripts, events, foreign markup, comments, addresses that are code', () => {
    drawn(hostileText)
    expect(dangers(host)).toEqual([])
    expect(host.textContent).toContain("<script>document.title = 'owned'</script>")
    expect(host.textContent).toContain('<img src=x onerror=')
    expect(host.textContent).toContain('<!-- <p> -->')
    expect([...host.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://attacker.example/pixel.png?q=secret',
      'https://example.com/ok',
      'https://example.com/'
    ])
  })

  test.each([
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<svg><script>alert(1)</script></svg>',
    '<svg/onload=alert(1)>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<template><img src=x onerror=alert(1)></template>',
    '<form><input name=attributes></form>',
    '<a href="java&#10;script:alert(1)" onclick=alert(1)>x</a>',
    '<a href="data:text/html,x">x</a>',
    '<p style="background:url(javascript:1)" class="dialog" id="main">x</p>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<!--><img src=x onerror=alert(1)>-->'
  ])('also if the parser let it through: %s', (html) => {
    const nodes = cleanNodes(html)
    expect(dangers(nodes)).toEqual([])
    expect(nodes.querySelectorAll('[id], [class], [style], [title], [name]')).toHaveLength(0)
  })

  test.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](data:text/html;base64,xx)',
    '[a](vbscript:x)',
    '[a](file:///etc/passwd)',
    '[a](//attacker.example)',
    '[a](/api/v1/auth/logout)',
    '<javascript:alert(1)>',
    '[a][r]\n\n[r]: javascript:alert(1)',
    '![a](data:image/svg+xml,x)'
  ])('%s is no link', (text) => {
    drawn(text)
    expect(host.querySelectorAll('a, img')).toHaveLength(0)
  })

  test('a link says where it leads, and tells that place nothing', () => {
    const link = drawn('see [here](https://example.com/x "y")').querySelector('a')!
    expect([link.rel, link.target, link.title]).toEqual([
      'noopener noreferrer nofollow',
      '_blank',
      'https://example.com/x'
    ])
  })

  test('a picture is a link that nobody has followed yet, and inside a link only its text', () => {
    drawn('![a chart](https://example.com/c.png) [![inner](https://a.example/i.png)](https://b.example/)')
    expect(host.querySelectorAll('img')).toHaveLength(0)
    expect([...host.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual(['a chart', 'inner'])
  })

  test('Markdown itself is drawn: tables, code, lists', () => {
    drawn('| a | b |\n|---|--:|\n| 1 | 2 |\n\n```bash\nls <b>\n```\n\n3. three\n4. four')
    expect(host.querySelector('.scroll[tabindex="0"] td[data-align=right]')?.textContent).toBe('2')
    expect(host.querySelector('code[data-language=bash]')?.textContent).toBe('ls <b>\n')
    expect(host.querySelector('ol')?.getAttribute('start')).toBe('3')
  })
})

describe('markers', () => {
  test('are buttons with the name of their source, side by side too', () => {
    drawn('Restart it[1][2]. 先重启[2]。')
    expect(buttons()).toEqual(['1', '2', '2'])
    expect(host.querySelector('button')?.getAttribute('aria-label')).toBe('Source 1')
  })

  test('take along what closes the sentence, which begins no line', () => {
    drawn('先压缩 [1]。再整理 [2]），然后 [1] 观察[2]')
    expect([...host.querySelectorAll('.md-together')].map((each) => each.textContent)).toEqual(['1。', '2），'])
    expect(host.textContent?.trim()).toBe('先压缩 1。再整理 2），然后 1 观察2')
    expect(buttons()).toEqual(['1', '2', '1', '2'])
  })

  test('of no source, and in code, stay text', () => {
    drawn('not [7], not `a[1]`\n\n```\nb[1]\n```\n\n    c[1]')
    expect(buttons()).toEqual([])
    expect(host.textContent).toContain('not [7], not a[1]')
  })

  test('are found in tables, emphasis and headings, and before brackets', () => {
    drawn('## H [1]\n\n**b [1]**\n\n| x |\n|---|\n| y [2] |\n\n重启[1](必要时)')
    expect(buttons()).toEqual(['1', '1', '2', '1'])
  })

  test('never stand inside a link: one control in another can not be pressed', () => {
    drawn('[see [1]](https://example.com) [1](https://example.com)')
    expect(buttons()).toEqual(['1'])
    expect([...host.querySelectorAll('a')].map(({ textContent }) => textContent)).toContain('1')
    expect(host.querySelectorAll('a button, button a')).toHaveLength(0)
  })

  test('that are escaped or have half a bracket stay text', () => {
    drawn('\\[1] [1 and 1]')
    expect(buttons()).toEqual([])
  })

  test('become buttons when their source comes, also in what was drawn before', () => {
    const view = markdownView(host)
    const draw = (markers: number[]) =>
      view.draw({ text: 'a [1]\n\nb\n\nc\n\nd', markers: new Set(markers), whole: false, words })
    draw([])
    expect(buttons()).toEqual([])
    draw([1])
    expect(buttons()).toEqual(['1'])
  })
})

/** Draws a text piece by piece, up to its last one. */
function grow(text: string, step: number) {
  const view = markdownView(host)
  const markers = new Set([1, 2, 3, 6])
  for (let end = step; end < text.length; end += step)
    view.draw({ text: text.slice(0, end), markers, whole: false, words })
  return (whole: boolean) => view.draw({ text, markers, whole, words })
}

describe('an answer that grows', () => {
  test.each([3, 7, 50])('piece by %i letters looks in the end as if it had come at once', (step) => {
    const text = `${longText(false)}\n\n| a | b |\n|---|---|\n| [1] | x |\n\n- one\n\n- two\n\n1. a\n\n2. b\n\nend`
    const finish = grow(text, step)
    finish(false)
    const grown = host.innerHTML
    finish(true)
    expect(host.innerHTML).toBe(grown)
    const other = document.createElement('div')
    markdownView(other).draw({ text, markers: new Set([1, 2, 3, 6]), whole: true, words })
    expect(grown).toBe(other.innerHTML)
  })

  test('draws anew only its end: what stands before stays the same nodes', () => {
    const view = markdownView(host)
    const markers = new Set<number>()
    const start = Array.from({ length: 30 }, (_each, index) => `part ${index}`).join('\n\n')
    view.draw({ text: start, markers, whole: false, words })
    const before = [...host.children]
    const fresh = view.draw({ text: `${start} and more\n\nnext`, markers, whole: false, words })
    expect(fresh.length).toBeLessThanOrEqual(3)
    expect([...host.children].slice(0, 28)).toEqual(before.slice(0, 28))
    expect([...host.children].slice(0, 28).every((each, index) => each === before[index])).toBe(true)
  })

  test('takes back what was replaced in its middle', () => {
    const view = markdownView(host)
    const draw = (text: string) => view.draw({ text, markers: new Set([1]), whole: false, words })
    draw('one [9]\n\ntwo\n\nthree\n\nfour')
    draw('one\n\ntwo\n\nthree\n\nfour, five')
    expect([...host.children].map(({ textContent }) => textContent.trim())).toEqual([
      'one',
      'two',
      'three',
      'four, five'
    ])
  })

  test('does not take the focus from a marker that is drawn anew', () => {
    const view = markdownView(host)
    const draw = (text: string) => view.draw({ text, markers: new Set([1]), whole: false, words })
    draw('restart [1]')
    host.querySelector('button')!.focus()
    draw('restart [1] now')
    expect(document.activeElement).toBe(host.querySelector('button'))
  })

  test('has line ends of any kind', () => {
    drawn('a\r\n\r\n- b\r- c')
    expect([...host.children].map(({ textContent }) => textContent.trim())).toEqual(['a', 'b\nc'])
  })
})
