import type { Page } from 'playwright-core'

/** What markup leaves in a page when somebody takes it for markup. */
export interface Traces {
  /** What scripts of the material set. */
  readonly hacked: unknown
  /** Elements that no page of ours has; the only picture is the mark of the product. */
  readonly elements: readonly string[]
  /** Elements and attributes inside quoted text that are more than text and links. */
  readonly inText: readonly string[]
  /** Attributes that run something, anywhere. */
  readonly handlers: readonly string[]
  /** Links that lead elsewhere than to the web or a letter, or tell where they come from. */
  readonly links: readonly string[]
}

export const NO_TRACES: Traces = { hacked: null, elements: [], inText: [], handlers: [], links: [] }

/** Where words of others are shown. */
const QUOTED = '.md, .question-text, .arguments, .citation h3, .citation .quoted, .tool-words, .talk-title, mark'

const LOOK = `((document) => {
  const all = [...document.querySelectorAll('*')]
  const nameOf = ({ localName }) => localName
  const quoted = [...document.querySelectorAll(${JSON.stringify(QUOTED)})].flatMap((each) => [...each.querySelectorAll('*')])
  const wild = /^(script|img|iframe|svg|style|form|input|object|embed|math|link|meta|base|video|audio|details|template)$/
  const attributesOf = (element) => [...element.attributes]
  return {
    hacked: globalThis.hacked ?? null,
    elements: [...document.querySelectorAll('img:not([src="/icon.svg"]), iframe, object, embed, base, math, video, audio, body script, body style, meta[http-equiv=refresh], form form, [v-html]')].map(nameOf),
    inText: quoted.flatMap((element) => [
      ...(wild.test(element.localName) ? [element.localName] : []),
      ...attributesOf(element).filter(({ name }) => /^(style|src|srcdoc|action|id|name)$/.test(name)).map(({ name }) => name)
    ]),
    handlers: all.flatMap(attributesOf).filter(({ name }) => /^(on|@|v-)/.test(name)).map(({ name }) => name),
    links: [...document.querySelectorAll('a[href]')]
      .filter(({ href, origin, rel }) =>
        !/^(https?:|mailto:|blob:)/.test(href) || (origin !== location.origin && !(/noopener/.test(rel) && /noreferrer/.test(rel))))
      .map(({ href }) => href)
  }
})`

/**
 * What there would be, were the words of others on a page markup, and a link of an answer the image that it may have
 * been. In a document of its own that shows nothing and runs nothing, for some of them lead away at once.
 */
export function tracesAsMarkup(page: Page): Promise<Traces> {
  return page.evaluate<Traces>(`(() => {
    const inert = document.implementation.createHTMLDocument('')
    for (const each of document.querySelectorAll(${JSON.stringify(QUOTED)})) {
      const place = inert.createElement('div')
      place.className = 'md'
      place.innerHTML = each.textContent
      for (const { href } of each.querySelectorAll('a')) place.append(Object.assign(inert.createElement('img'), { src: href }))
      inert.body.append(place)
    }
    return ${LOOK}(inert)
  })()`)
}

export function tracesIn(page: Page): Promise<Traces> {
  return page.evaluate<Traces>(`${LOOK}(document)`)
}

/** What a page does on its own: asks other origins, opens dialogs and windows. Filled from now on. */
export function watchFor(page: Page): readonly string[] {
  const seen: string[] = []
  const context = page.context()
  context.on('request', (request) => {
    const url = request.url()
    const isOurs = /^(data|blob):/.test(url) || new URL(url).origin === new URL(page.url()).origin
    if (!isOurs && page.url() !== 'about:blank') seen.push(`asked for ${url}`)
  })
  context.on('page', (opened) => void seen.push(`opened ${opened.url()}`))
  page.on('dialog', (dialog) => {
    seen.push(`said ${dialog.message()}`)
    void dialog.dismiss()
  })
  return seen
}
