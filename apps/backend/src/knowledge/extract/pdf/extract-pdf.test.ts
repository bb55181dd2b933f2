import { describe, expect, it } from 'vitest'
import { linesOf, makePdf, textAt } from '../../test-material/make-pdf.ts'
import { extractPdf } from './extract-pdf.ts'
import { listPages } from './list-pages.ts'
import { toParagraphs } from './paragraphs.ts'
import type { TextRun } from './read-page.ts'
import { dropRubbish } from './rubbish.ts'

const enough = 1_000_000
const read = (pdf: Buffer, max = enough) => extractPdf(pdf, 'book.pdf', max)
const run = (text: string, font = 'a'): TextRun => ({
  text,
  start: 0,
  end: 1,
  baseline: 0,
  size: 1,
  font,
  endsLine: true
})

const column = (name: string, at: number) => `${name} column line number ${at} of prose text`

describe('the text of a PDF', () => {
  it('comes as paragraphs with their pages', async () => {
    const pdf = makePdf([linesOf(['First page', 'second line']), linesOf(['Next page'])])
    const { text, blocks } = await read(pdf)
    expect(blocks.map((block) => [text.slice(block.start, block.end), block.page])).toEqual([
      ['First page second line', 1],
      ['Next page', 2]
    ])
  })

  it('begins a paragraph at a wide gap, an indented line and a change of size', async () => {
    const pdf = makePdf([
      textAt([
        { x: 50, y: 700, text: 'Heading', size: 20 },
        { x: 50, y: 680, text: 'one' },
        { x: 50, y: 666, text: 'goes on.' },
        { x: 66, y: 652, text: 'Indented' },
        { x: 50, y: 638, text: 'line' },
        { x: 50, y: 600, text: 'far below' }
      ])
    ])
    expect((await read(pdf)).text).toBe('Heading\n\none goes on.\n\nIndented line\n\nfar below')
  })

  it('makes a hyphenated word whole, and keeps a hyphen that belongs', async () => {
    const pdf = makePdf([linesOf(['the con-', 'nection pool of Just-in-', 'Time code'])])
    expect((await read(pdf)).text).toBe('the connection pool of Just-in-Time code')
  })

  it('does not mix two columns that were drawn line by line', async () => {
    const rows = [0, 1, 2, 3, 4, 5, 6].flatMap((at) => [
      { x: 50, y: 700 - at * 14, text: column('left', at) },
      { x: 320, y: 700 - at * 14, text: column('right', at) }
    ])
    const { text } = await read(makePdf([textAt([{ x: 50, y: 760, text: 'A title across the page' }, ...rows])]))
    expect(text.indexOf('right column line number 0')).toBeGreaterThan(text.indexOf('left column line number 6'))
    expect(text).toContain('left column line number 0 of prose text left column line number 1')
  })

  it('keeps the rows of a table together', async () => {
    const rows = ['E-1', 'E-22', 'E-333', 'E-4', 'E-55', 'E-6'].flatMap((code, at) => [
      { x: 50, y: 700 - at * 14, text: code },
      { x: 320, y: 700 - at * 14, text: `meaning of ${code}` }
    ])
    expect((await read(makePdf([textAt(rows)]))).text).toContain('E-1 meaning of E-1 E-22 meaning of E-22')
  })

  it('reads rotated text as text', async () => {
    const pdf = makePdf(['BT /F 12 Tf 0 1 -1 0 300 200 Tm (turned by ninety) Tj ET'])
    expect((await read(pdf)).text).toBe('turned by ninety')
  })

  it('names pages without text in a warning', async () => {
    const picture = '0 0 100 100 re f'
    const { warnings } = await read(makePdf([linesOf(['text']), picture, picture, linesOf(['more']), picture]))
    expect(warnings).toEqual(['pages 2–3, 5: no text (a scan, a picture, or empty)'])
  })

  it('takes the title that the file states, unless a program left it there', async () => {
    expect((await read(makePdf([linesOf(['x'])], { title: 'Disk manual' }))).title).toBe('Disk manual')
    expect((await read(makePdf([linesOf(['x'])], { title: 'Microsoft Word - draft.doc' }))).title).toBeUndefined()
    expect((await read(makePdf([linesOf(['x'])]))).title).toBeUndefined()
  })
})

describe('a PDF that cannot be read', () => {
  it('of pictures only says so', async () => {
    await expect(read(makePdf(['0 0 9 9 re f']))).rejects.toMatchObject({
      code: 'DOCUMENT_UNREADABLE',
      message: 'book.pdf has no text layer: its pages are pictures (scanned?) or empty',
      details: { reason: 'pdf-no-text-layer' }
    })
  })

  it('that was cut off is damaged', async () => {
    const pdf = makePdf([linesOf(['x'])])
    await expect(read(pdf.subarray(0, 200))).rejects.toMatchObject({ details: { reason: 'pdf-damaged' } })
  })

  it('with more text than allowed is refused with both numbers', async () => {
    await expect(read(makePdf([linesOf(['x'.repeat(80), 'y'.repeat(80)])]), 100)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'book.pdf is too large: 161 characters of text, and 100 are allowed'
    })
  })
})

describe('rubbish from fonts without a Unicode map', () => {
  it('takes the whole font with it and is told', () => {
    const { runs, lossy } = dropRubbish([run('Readable heading'), run('ab\uE001\uE002 c', 'b'), run('ÃÄ', 'b')])
    expect(runs.map((kept) => kept.text)).toEqual(['Readable heading', '', ''])
    expect(lossy).toBe(true)
  })

  it('of bullets only is dropped without a word', () => {
    const { runs, lossy } = dropRubbish([run('\uF0B7', 'symbols'), run('a long line of ordinary text\uE000')])
    expect(runs.map((kept) => kept.text)).toEqual(['', 'a long line of ordinary text'])
    expect(lossy).toBe(false)
  })
})

describe('details', () => {
  it('ligatures and radicals become the letters they stand for', () => {
    expect(toParagraphs([{ ...run('ﬁnal oﬀer ⼤⼩ ﷲ'), start: 0, end: 9 }])).toEqual(['final offer 大小 الله'])
  })

  it('page numbers are told as ranges', () => {
    expect(listPages([3])).toBe('page 3')
    expect(listPages([1, 2, 3, 7, 9, 10])).toBe('pages 1–3, 7, 9–10')
  })
})
