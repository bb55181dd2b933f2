// @vitest-environment node
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileText, longText } from '../../../dev/sample-answers.ts'

const executable = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap((folder) => ['chromium', 'google-chrome'].map((name) => join(folder, name)))
  .find((path) => existsSync(path))

/** The very modules that the chat uses. */
interface Shown {
  readonly clean: { readonly cleanNodes: (html: string) => DocumentFragment }
  readonly view: { readonly markdownView: (host: HTMLElement) => { draw: (wish: object) => readonly Element[] } }
}

/** A module of the page as a script that leaves its exports under a name. */
async function scriptOf(file: string, name: keyof Shown): Promise<string> {
  const made = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, file), formats: ['iife'], name, fileName: name }
    }
  })
  const [output] = Array.isArray(made) ? made : [made]
  if (output === undefined || !('output' in output)) throw new Error(`no script was made of ${file}`)
  return output.output.flatMap((part) => ('code' in part ? [part.code] : [])).join('\n')
}

/** Ways into a document that have worked somewhere once: what a parser changes, what hides in foreign markup. */
const attacks = [
  '<img src=x onerror=owned()>',
  '<svg><script>owned()</script></svg>',
  '<svg><animate onbegin=owned() attributeName=x dur=1s>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=owned()&gt;">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=owned() src>">',
  '<noscript><p title="</noscript><img src=x onerror=owned()>">',
  '<template><script>owned()</script></template>',
  '<a href="java\tscript:owned()">x</a><a href=" javascript:owned()">y</a>',
  '<iframe srcdoc="<script>parent.owned()</script>"></iframe>',
  '<details open ontoggle=owned()><summary>x</summary></details>',
  '<video><source onerror=owned()></video><input autofocus onfocus=owned()>',
  '<p id=owned name=owned style="background:url(https://attacker.example/)">x</p>',
  '<link rel=stylesheet href=https://attacker.example/x.css><style>@import "https://attacker.example/y.css"</style>',
  '<meta http-equiv=refresh content="0;url=https://attacker.example/"><base href=https://attacker.example/>',
  '<!--><img src=x onerror=owned()>--><![CDATA[<img src=x onerror=owned()>]]>',
  '</div></article><script>owned()</script>'
] as const

// A real browser's parser, and DOMPurify at work: the document of the other tests has neither.
describe.skipIf(executable === undefined)('in a real browser (needs chromium or google-chrome)', () => {
  let browser: Browser
  let page: Page
  const asked: string[] = []
  beforeAll(async () => {
    const code = `${await scriptOf('clean-nodes.ts', 'clean')}\n${await scriptOf('markdown-view.ts', 'view')}`
    browser = await chromium.launch({ executablePath: executable ?? '', args: ['--no-sandbox'] })
    page = await browser.newPage()
    await page.route('**/*', (route) => {
      asked.push(route.request().url())
      return route.abort()
    })
    await page.setContent('<!doctype html><title>chat</title><main></main>')
    await page.evaluate(
      `${code}; Object.assign(globalThis, { clean, view }); globalThis.calls = 0; globalThis.owned = () => { calls++ }`
    )
  })
  afterAll(() => browser.close())

  /** Runs in the page: draws, waits for what might happen, and says what is there that could do something. */
  const drawn = (way: 'html' | 'markdown', text: string) =>
    page.evaluate(
      async ([kind, given]) => {
        const { clean, view, calls } = globalThis as unknown as Shown & { calls: number }
        const main = document.querySelector('main')!
        main.replaceChildren()
        const words = { marker: String, copy: 'Copy', copyLabel: 'Copy', table: 'Table' }
        if (kind === 'html') main.append(clean.cleanNodes(given))
        else view.markdownView(main).draw({ text: given, markers: new Set([1]), whole: true, words })
        await new Promise((done) => setTimeout(done, 30))
        const all = [...main.querySelectorAll('*')]
        return {
          calls: (globalThis as unknown as { calls: number }).calls - calls,
          tags: [...new Set(all.map(({ localName }) => localName))],
          bad: all.flatMap(({ attributes }) =>
            [...attributes]
              .filter(
                ({ name, value }) =>
                  /^on|^src|^style$|^id$|^name$/.test(name) || /^\s*(?:javascript|data):/i.test(value)
              )
              .map(({ name }) => name)
          )
        }
      },
      [way, text] as const
    )
  const DANGEROUS =
    /^(?:script|style|svg|math|img|iframe|object|embed|form|input|video|link|meta|base|template|details)$/

  test.each(attacks)('%s does nothing, as HTML and as Markdown', async (attack) => {
    for (const way of ['html', 'markdown'] as const) {
      const { calls, tags, bad } = await drawn(way, attack)
      expect([way, calls, tags.filter((tag) => DANGEROUS.test(tag)), bad]).toEqual([way, 0, [], []])
    }
    expect(asked).toEqual([])
  })

  test('an answer that repeats all of it is drawn as text, with its marker and its good links', async () => {
    const { calls, bad, tags } = await drawn('markdown', hostileText)
    expect([calls, bad, asked, await page.title()]).toEqual([0, [], [], 'chat'])
    expect(tags).toContain('button')
    expect(await page.locator('main a').count()).toBe(3)
  })

  test('the harness would notice: the same attack put in as markup calls, and asks the network', async () => {
    const calls = await page.evaluate(async () => {
      const host = document.querySelector('main')!
      host.setHTMLUnsafe('<img src=https://attacker.example/x onerror=owned()>')
      await new Promise((done) => setTimeout(done, 200))
      return (globalThis as unknown as { calls: number }).calls
    })
    expect([calls, asked.splice(0)]).toEqual([1, ['https://attacker.example/x']])
  })

  test('a long answer is drawn piece by piece without reading it anew each time', async () => {
    const text = Array.from({ length: 8 }, () => longText(false)).join('\n\n')
    const { first, last } = await page.evaluate((given) => {
      const { markdownView } = (globalThis as unknown as Shown).view
      const main = document.querySelector('main')!
      main.replaceChildren()
      const view = markdownView(main)
      const words = { marker: String, copy: 'Copy', copyLabel: 'Copy', table: 'Table' }
      const fresh: number[] = []
      for (let end = 20; end < given.length; end += 20)
        fresh.push(view.draw({ text: given.slice(0, end), markers: new Set([1, 2, 3, 6]), whole: false, words }).length)
      return { first: Math.max(...fresh.slice(0, 100)), last: Math.max(...fresh.slice(-100)) }
    }, text)
    expect(last).toBeLessThanOrEqual(first)
    expect(last).toBeLessThanOrEqual(3)
  })
})
