import { describe, expect, it } from 'vitest'
import { PortError } from '../ports/index.ts'
import { countTokens } from '../test-material/count-tokens.ts'
import { simpleBlocks } from '../test-material/simple-blocks.ts'
import { chunkDocument, MAX_CHUNK_CHARACTERS } from './index.ts'
import type { ChunkOptions, ChunkSlice, TextBlock } from './index.ts'

const characters: ChunkOptions = {
  strategy: 'markdown',
  size: 200,
  overlap: 0,
  measure: (text) => text.length,
  bound: { countTokens, max: 512 },
  title: 'Runbook'
}

function chunk(text: string, options: Partial<ChunkOptions> = {}): ChunkSlice[] {
  return chunkDocument(simpleBlocks(text), { ...characters, ...options })
}

function contents(text: string, options: Partial<ChunkOptions> = {}): string[] {
  return chunk(text, options).map((slice) => slice.content)
}

function paragraph(start: number, end: number, page?: number): TextBlock {
  return page === undefined ? { kind: 'paragraph', start, end } : { kind: 'paragraph', start, end, page }
}

function longHeading(level: number): string {
  return `${'#'.repeat(level)} ${`level${level} `.repeat(5)}\n\n`
}

describe('chunking by structure', () => {
  it('gives each section its heading path, and leaves the heading lines out of the content', () => {
    const chunks = chunk(
      '# Disk\n\nintro\n\n## Full\n\nfree space\n\n### Inodes\n\ncount them\n\n## Slow\n\nlook at iostat'
    )
    expect(chunks.map(({ headingPath, content }) => [...headingPath, content])).toEqual([
      ['Disk', 'intro'],
      ['Disk', 'Full', 'free space'],
      ['Disk', 'Full', 'Inodes', 'count them'],
      ['Disk', 'Slow', 'look at iostat']
    ])
    expect(chunks.map((slice) => slice.sequence)).toEqual([0, 1, 2, 3])
  })

  it('packs small blocks of one section together, with what lies between them', () => {
    expect(contents('# A\n\none\n\n- two\n- three\n\n```\nfour\n```')).toEqual([
      'one\n\n- two\n- three\n\n```\nfour\n```'
    ])
  })

  it('never puts two sections into one chunk, however small they are', () => {
    expect(contents('## E-1\n\na\n\n## E-2\n\nb')).toEqual(['a', 'b'])
  })

  it('keeps a short list together though it does not fit one chunk, and fills the chunks with it', () => {
    const items = Array.from({ length: 4 }, (_, index) => `- step ${index} ${'word '.repeat(16).trim()}`)
    expect(contents(items.join('\n')).map((part) => part.match(/step \d/g))).toEqual([
      ['step 0', 'step 1'],
      ['step 2', 'step 3']
    ])
  })

  it('does not read across what lies between two sections and belongs to none', () => {
    const text = 'a\n\nhidden words\n\nb'
    const blocks: TextBlock[] = [paragraph(0, 1), paragraph(17, 18)]
    expect(chunkDocument({ text, blocks }, characters).map((slice) => slice.content)).toEqual(['a', 'b'])
  })

  it('gives nothing for headings without text, for blanks, and for an empty document', () => {
    for (const strategy of ['markdown', 'paragraph', 'fixed', 'word'] as const) {
      for (const text of ['', ' \n\n ', '# Only\n\n## Headings']) expect(contents(text, { strategy })).toEqual([])
    }
  })

  it('opens no section at a # inside a fence, and keeps a fence in one piece where it fits', () => {
    const fence = `\`\`\`bash\n# not a heading\n${'kubectl get pods\n'.repeat(8)}\`\`\``
    const chunks = chunk(`# Restart\n\n${'Some words before it. '.repeat(6)}\n\n${fence}`)
    expect(chunks.map((slice) => slice.headingPath)).toEqual([['Restart'], ['Restart']])
    expect(chunks[1]!.content).toBe(fence)
  })

  it('cuts a fence that alone exceeds the size between lines, and keeps the indentation of the next part', () => {
    const parts = contents(`\`\`\`\n${'    indented call\n'.repeat(30)}\`\`\``)
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts.slice(1, -1)) expect(part).toMatch(/^(?: {4}indented call\n)* {4}indented call$/)
  })

  it('keeps the indentation of the first line of code, and drops blank lines before it', () => {
    const text = '\n\n    call()\n    return\n'
    const blocks = [{ kind: 'code', start: 0, end: text.length }] as const
    expect(chunkDocument({ text, blocks }, characters)[0]!.content).toBe('    call()\n    return')
  })

  it('repeats the header on each part of a table that is cut, and cuts only between rows', () => {
    const rows = Array.from({ length: 40 }, (_, index) => `| E-${index} | failure number ${index} |`)
    const parts = contents(`| code | meaning |\n|---|---|\n${rows.join('\n')}`)
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) expect(part.split('\n').slice(0, 2)).toEqual(['| code | meaning |', '|---|---|'])
    // Half of the size of 200, so that rows of one shape do not blur each other.
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(100)
    expect(parts.flatMap((part) => part.split('\n').slice(2))).toEqual(rows)
  })

  it('keeps a table that fits whole, beside the text around it', () => {
    expect(contents('before\n\n| a |\n|---|\n| b |\n\nafter')).toHaveLength(1)
  })

  it('cuts a row that alone exceeds the size, and still gives each part the header', () => {
    const parts = contents(`| code |\n|---|\n| ${'word '.repeat(100)}|`)
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect(part.startsWith('| code |\n|---|\n')).toBe(true)
  })

  it('does not repeat a header that would fill most of each chunk', () => {
    const header = `| ${'very long column name '.repeat(8)}|`
    const rows = Array.from({ length: 10 }, (_, index) => `| row ${index} ${'x'.repeat(30)} |`)
    const parts = contents(`${header}\n|---|\n${rows.join('\n')}`)
    expect(parts.filter((part) => part.includes('very long column name'))).toHaveLength(1)
  })

  it.each([
    [30, 'a name of a column that says what stands below it'],
    [200, 'a name of a column that says what stands below it'],
    [800, 'col']
  ])('cuts a table of %i columns named like "%s" into about as many parts as its text needs', (columns, name) => {
    const row = (cell: string): string => `|${` ${cell} |`.repeat(columns)}`
    const lines = [
      row(name),
      `|${'---|'.repeat(columns)}`,
      ...Array.from({ length: 5 }, (_, index) => row(`v${index}`))
    ]
    const text = lines.join('\n')
    const parts = contents(text)
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(text.length / characters.size) * 1.5 + 2)
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(characters.size)
    expect(parts.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''))
  })

  it('keeps a short list of steps together, but puts at most a handful of a long list into one chunk', () => {
    const steps = Array.from({ length: 8 }, (_, index) => `${index + 1}. do step ${index}`).join('\n')
    expect(contents(steps)).toEqual([steps])
    const codes = Array.from({ length: 40 }, (_, index) => `- E-${index}`)
    const parts = contents(codes.join('\n'))
    for (const part of parts) expect(part.split('\n').length).toBeLessThanOrEqual(5)
    expect(parts.flatMap((part) => part.split('\n'))).toEqual(codes)
  })

  it('fills a quarter of the size with items of a long list, unless one alone is larger', () => {
    const codes = Array.from({ length: 14 }, (_, index) => `- E-${index} ${'x'.repeat(index === 7 ? 90 : 15)}`)
    const parts = contents(codes.join('\n'))
    expect(parts.filter((part) => part.length > 50 && part.includes('\n'))).toEqual([])
    expect(parts.some((part) => part.includes('\n'))).toBe(true)
  })

  it('does not join a long list with the text behind it', () => {
    const codes = Array.from({ length: 13 }, (_, index) => `- E-${index}`).join('\n')
    expect(contents(`${codes}\n\nafter the list`).at(-1)).toBe('after the list')
  })

  it('does not pull text that belongs to no block into a chunk', () => {
    const text = 'shown\n<!-- hidden words -->\nshown too'
    const blocks = [
      { kind: 'paragraph', start: 0, end: 5 },
      { kind: 'paragraph', start: text.length - 9, end: text.length }
    ] as const
    for (const strategy of ['markdown', 'paragraph', 'fixed', 'word'] as const) {
      const parts = chunkDocument({ text, blocks }, { ...characters, strategy, overlap: 50 }).map(
        (slice) => slice.content
      )
      expect(parts).toEqual(['shown', 'shown too'])
    }
  })

  it('takes a heading of a whole paragraph for a paragraph, so that its words stay searchable', () => {
    const long = 'word '.repeat(200)
    const chunks = chunk(`# Short\n\n## ${long}\n\nbody`)
    expect(new Set(chunks.flatMap((slice) => slice.headingPath))).toEqual(new Set(['Short']))
    expect(
      chunks
        .map((slice) => slice.content)
        .join(' ')
        .split('word')
    ).toHaveLength(201)
  })

  it('gives the first page of each chunk', () => {
    const text = 'first\n\nsecond\n\nthird'
    const blocks = [paragraph(0, 5, 1), paragraph(7, 13, 2), paragraph(15, 20, 3)]
    expect(chunkDocument({ text, blocks }, { ...characters, size: 13 }).map((slice) => slice.page)).toEqual([1, 3])
    const fixed = chunkDocument({ text, blocks }, { ...characters, size: 8, strategy: 'fixed' })
    expect(fixed.map((slice) => [slice.content, slice.page])).toEqual([
      ['first\n\ns', 1],
      ['econd\n\nt', 2],
      ['hird', 3]
    ])
  })
})

describe('cutting a long paragraph', () => {
  it('cuts at Chinese and English sentences, not at the dot of a version or an address', () => {
    const english = 'Upgrade to v1.2.3 first. Then call 10.0.0.1:8080 again! '
    const parts = contents(english.repeat(12), { size: 100 })
    expect(parts.length).toBeGreaterThan(5)
    for (const part of parts) expect(part).toMatch(/^(?:Upgrade|Then).*(?:first\.|again!)$/)
    const chinese = '先检查上游健康状态，再看连接池。确认后滚动重启！'
    const sentences = contents(chinese.repeat(20), { size: 60 })
    expect(sentences.length).toBeGreaterThan(5)
    for (const part of sentences) expect(part).toMatch(/^[先确].*[。！]$/)
  })

  it('cuts a sentence that alone exceeds the size between words', () => {
    const parts = contents('alpha beta '.repeat(60), { size: 50 })
    expect(parts.length).toBeGreaterThan(10)
    for (const part of parts) expect(part).toMatch(/^(?:alpha|beta)(?: (?:alpha|beta))*$/)
  })

  it('repeats the last sentences of a part at the beginning of the next, up to the overlap', () => {
    const sentences = Array.from({ length: 30 }, (_, index) => `Sentence number ${index} is here.`)
    const chunks = chunk(sentences.join(' '), { overlap: 70 })
    expect(chunks.length).toBeGreaterThan(3)
    for (const [index, later] of chunks.slice(1).entries()) {
      const shared = chunks[index]!.end - later.start
      expect(shared).toBeGreaterThan(30)
      expect(shared).toBeLessThanOrEqual(70)
      expect(later.content).toMatch(/^Sentence/)
    }
  })

  it('does not repeat code or items before the paragraph behind them', () => {
    const sentence = 'Then look at the gateway again. '.repeat(3)
    const code = `\`\`\`\n${'call()\n'.repeat(26)}\`\`\``
    expect(contents(`${code}\n\n${sentence}`, { overlap: 60 })[1]).toBe(sentence.trim())
  })

  it('repeats nothing across sections, nor of code and lists', () => {
    const items = Array.from({ length: 8 }, () => '- item that is long enough').join('\n')
    const code = `\`\`\`\n${'call()\n'.repeat(20)}\`\`\``
    const prose = 'Some sentence. '.repeat(10)
    const text = `# A\n\n${prose}\n\n# B\n\n${prose}\n\n${items}\n\n${code}\n\n${prose}`
    const chunks = chunk(text, { overlap: 100 })
    expect(chunks.length).toBeGreaterThan(3)
    for (const [index, later] of chunks.slice(1).entries())
      expect(later.start).toBeGreaterThanOrEqual(chunks[index]!.end)
  })
})

describe('running-text strategies', () => {
  it('cuts fixed windows of exactly the size, with the overlap asked for', () => {
    const chunks = chunk('x'.repeat(1_000), { strategy: 'fixed', overlap: 50 })
    expect(chunks.map(({ start, end }) => [start, end])).toEqual([
      [0, 200],
      [150, 350],
      [300, 500],
      [450, 650],
      [600, 800],
      [750, 950],
      [900, 1_000]
    ])
  })

  it('keeps heading lines in the content, since there is no heading path', () => {
    const [only] = chunk('# Disk\n\nfull', { strategy: 'paragraph' })
    expect(only).toMatchObject({ headingPath: [], content: '# Disk\n\nfull' })
  })

  it('keeps whole words with the word strategy and whole paragraphs with the paragraph strategy', () => {
    const text = Array.from({ length: 20 }, (_, index) => `paragraph ${index} has words`).join('\n\n')
    const byWord = contents(text, { strategy: 'word', size: 50 })
    const byParagraph = contents(text, { strategy: 'paragraph', size: 60 })
    expect(Math.min(byWord.length, byParagraph.length)).toBeGreaterThan(5)
    for (const part of byWord) expect(part).toMatch(/^(?:paragraph|\d+|has|words)\b/)
    for (const part of byParagraph) expect(part).toMatch(/^paragraph.*words$/s)
  })
})

describe('bounds', () => {
  it('splits further where the embedder takes less than the size asks for', () => {
    const parts = contents('word '.repeat(400), { size: 2_000, bound: { countTokens, max: 64 } })
    for (const part of parts) expect(countTokens(`Runbook\n${part}`)).toBeLessThanOrEqual(64)
    expect(parts.join(' ').split(' ')).toHaveLength(400)
  })

  it('drops the outermost headings of a path that would fill the bound', () => {
    const text = `${[1, 2, 3, 4].map(longHeading).join('')}body`
    const [only] = chunk(text, { bound: { countTokens, max: 64 } })
    expect(only!.headingPath.map((title) => title.slice(0, 6))).toEqual(['level3', 'level4'])
  })

  it('never makes a chunk of more characters than the narrowest engine stores', () => {
    const parts = chunk(`a${' '.repeat(50_000)}b`, { size: 1_000_000, bound: { countTokens, max: 1_000_000 } })
    expect(parts.length).toBeGreaterThan(1)
    for (const { content } of parts) expect(content.length).toBeLessThanOrEqual(MAX_CHUNK_CHARACTERS)
  })

  it.each([
    ['a size of nothing', { size: 0 }],
    ['an overlap as large as the size', { overlap: 200 }],
    ['a bound without room', { bound: { countTokens, max: 8 } }],
    ['a title that fills the bound', { title: 'word '.repeat(400) }]
  ] as [string, Partial<ChunkOptions>][])('refuses %s', (_, options) => {
    expect(() => chunk('text', options)).toThrow(PortError)
  })

  it('refuses blocks that overlap or lie outside the text', () => {
    for (const blocks of [[paragraph(0, 3), paragraph(2, 4)], [paragraph(0, 9)]]) {
      expect(() => chunkDocument({ text: 'text', blocks }, characters)).toThrow(PortError)
    }
  })
})
