import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'vue/compiler-sfc'
import { describe, expect, test } from 'vitest'
import { en } from './en/index.ts'
import { zh } from './zh/index.ts'

const source = join(import.meta.dirname, '..')
const files = globSync('**/*.{vue,ts}', { cwd: source }).filter(
  (file) => !/[.]test[.]ts$|^(i18n|test-material)\//.test(file)
)

type Tree = { readonly [key: string]: string | Tree }

function flat(tree: Tree, prefix = ''): Map<string, string> {
  const entries = Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as const] : [...flat(value, `${prefix}${key}.`)]
  )
  return new Map(entries)
}

const texts = { en: flat(en), zh: flat(zh) }
const namesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].toSorted()

describe('the texts of the page', () => {
  test('the keys of both languages agree both ways', () => {
    expect([...texts.zh.keys()].toSorted()).toEqual([...texts.en.keys()].toSorted())
  })

  test('the same values stand in a text of both languages', () => {
    const differing = [...texts.en].filter(
      ([key, text]) => `${namesIn(text)}` !== `${namesIn(texts.zh.get(key) ?? '')}`
    )
    expect(differing).toEqual([])
  })

  test('no text is empty, and none in Chinese is only English left over', () => {
    // Names are the same in both languages.
    const names = new Set([
      'OncallAgent',
      'Word（DOCX）',
      '、',
      'Markdown',
      'PDF',
      'HTML',
      'BM25L',
      '↑ {places}',
      '↓ {places}'
    ])
    const bad = [...texts.zh].filter(
      ([, text]) => !/\p{sc=Han}/u.test(text) && !names.has(text) && !/^\{[^{}]*\}\W+\{[^{}]*\}$/.test(text)
    )
    expect(bad).toEqual([])
    expect([...texts.en].filter(([key, text]) => key !== 'lab.comma' && text.trim() === '')).toEqual([])
  })

  test('Chinese sentences have Chinese marks, and no space between Han and them', () => {
    expect([...texts.zh].filter(([, text]) => /\p{sc=Han}\s*[,;!?]|[，。；：]\s/u.test(text))).toEqual([])
  })

  test('every key is used somewhere', () => {
    const all = files.map((file) => readFileSync(join(source, file), 'utf8')).join('\n')
    const used = (key: string): boolean => {
      if (all.includes(`'${key}'`)) return true
      // A key may be put together: `document.states.${state}`.
      const parent = key.slice(0, key.lastIndexOf('.') + 1)
      return all.includes(`\`${parent}\${`)
    }
    expect([...texts.en.keys()].filter((key) => !used(key))).toEqual([])
  })
})

/** Attributes that a person sees or hears. */
const SEEN = new Set(['title', 'alt', 'placeholder', 'aria-label', 'label', 'aria-description'])
const LETTERS = /\p{L}{2,}/u

interface Node {
  readonly type: number
  readonly content?: unknown
  readonly props?: readonly {
    readonly type: number
    readonly name: string
    readonly value?: { readonly content: string }
  }[]
  readonly children?: readonly Node[]
}

function visibleTexts(node: Node): string[] {
  const TEXT = 2
  const ATTRIBUTE = 6
  if (node.type === TEXT) return LETTERS.test(String(node.content)) ? [String(node.content).trim()] : []
  const own = (node.props ?? [])
    .filter((prop) => prop.type === ATTRIBUTE && SEEN.has(prop.name) && LETTERS.test(prop.value?.content ?? ''))
    .map((prop) => `${prop.name}="${prop.value?.content}"`)
  return [...own, ...(node.children ?? []).flatMap(visibleTexts)]
}

describe.each(files.filter((file) => file.endsWith('.vue')))('%s', (file) => {
  const { descriptor } = parse(readFileSync(join(source, file), 'utf8'))

  test('has no visible text of its own, and renders nothing as HTML', () => {
    const template = descriptor.template!
    expect(visibleTexts(template.ast as unknown as Node)).toEqual([])
    expect(template.content).not.toMatch(/v-html|innerHTML/)
  })
})
