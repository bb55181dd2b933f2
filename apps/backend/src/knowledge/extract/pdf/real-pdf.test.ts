import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { needsShared, readShared, sharedIsAbsent, sharedPath } from '../../test-material/shared-files.ts'
import { extractPdf } from './extract-pdf.ts'

const read = (file: string) => extractPdf(readShared(`files/pdf/${file}`), file, 2_000_000)
const squeezed = (text: string) => text.replace(/\s/g, '')

/** Words that another reader finds in the file. */
const words: readonly (readonly [string, string])[] = [
  ['issue6387.pdf', 'あのイーハトーヴォのすきとおった風'],
  ['issue12823.pdf', '描述团队的共同目标，有利于团队成员理解目标并朝着目标努力。'],
  ['issue8570.pdf', '隙間のない空間スキャンで人や物体を検知する'],
  ['bug1627427_reduced.pdf', '침하게 흐린 품이 눈이 올 듯하더니'],
  ['issue19360.pdf', '坚持社会主义核心价值体系'],
  ['issue15759.pdf', '電磁振動器（ソレノイドを含む。）'],
  ['issue19971.pdf', 'QA Test Master Document'],
  ['noembed-eucjp.pdf', 'あいうえお'],
  ['noembed-jis7.pdf', 'ABC あいうえお 123'],
  ['noembed-identity.pdf', 'ABC あいうえお 123'],
  ['90ms_rksj_h_sample.pdf', '日本語'],
  ['XiaoBiaoSong.pdf', '关于红军作战的原则'],
  ['issue3521.pdf', '我们都是黑体字'],
  ['copy_paste_ligatures.pdf', 'abcdeffffiflffifflſtstghijklmno'],
  ['two_paragraphs.pdf', 'The first paragraph.'],
  ['structure_simple.pdf', 'This paragraph 1.'],
  ['issue7665.pdf', 'Issue 7665'],
  ['poppler-67295-0.pdf', 'TestString123'],
  ['issue9105_reduced.pdf', 'Issue 9105'],
  ['issue7872.pdf', 'MediaBox and CropBox with indirect objects.'],
  ['bomb_giant.pdf', 'GIANT JBIG2 BOMB'],
  ['issue6286.pdf', '好酸球%(Eos)'],
  ['rotation.pdf', 'This is my first page with normal layout.'],
  ['hello_world_rotated.pdf', 'Hello world'],
  ['xfa_issue14315.pdf', 'requires Adobe Reader 8 or higher']
]

describe.skipIf(sharedIsAbsent)(`real PDF files${needsShared}`, () => {
  it.each(words)('%s holds its words', async (file, expected) => {
    expect(squeezed((await read(file)).text)).toContain(squeezed(expected))
  })

  it.each([
    [
      'pdf-encrypted',
      'bug1782186.pdf issue15893_reduced.pdf issue6010_1.pdf issue6010_2.pdf issue21579.pdf pr6531_2.pdf encrypted-attachment.pdf'
    ],
    [
      'pdf-no-text-layer',
      'issue5567.pdf issue5481.pdf issue7229.pdf filled-background.pdf empty.pdf empty#hash.pdf cmykjpeg.pdf'
    ],
    ['pdf-no-usable-text', 'ThuluthFeatures.pdf complex_ttf_font.pdf'],
    ['pdf-damaged', 'poppler-395-0-fuzzed.pdf']
  ])('is refused with the reason %s: %s', async (reason, files) => {
    for (const file of files.split(' '))
      await expect(read(file), file).rejects.toMatchObject({ details: { reason, file } })
  })

  it('two columns do not mix, ligatures are letters and pages are known', async () => {
    const { text, blocks } = await read('tracemonkey.pdf')
    expect(text).toContain(
      'Dynamic languages such as JavaScript are more difficult to compile than statically typed ones.'
    )
    expect(text).toContain(
      'traditional compilers need to emit generic code that can handle all possible type combinations at runtime'
    )
    expect(text).not.toMatch(/[\uFB00-\uFB06]/)
    expect(blocks.at(-1)?.page).toBe(14)
  })

  it('a book of 352 pages is read whole', async () => {
    const { text, blocks, warnings } = await read('freeculture.pdf')
    expect(text.length).toBeGreaterThan(600_000)
    expect(blocks.at(-1)?.page).toBe(352)
    expect(warnings).toEqual(['page 1: no text (a scan, a picture, or empty)'])
  })

  it('a file that is rubbish for the most part keeps what can be read, and says what was left out', async () => {
    const { text, warnings } = await read('TAMReview.pdf')
    expect(text).toContain('Working Papers on Information Systems')
    expect(warnings).toEqual(['pages 2–22: text in fonts without a Unicode map, which was left out'])
  })

  const everyFile = sharedIsAbsent ? [] : readdirSync(sharedPath('files/pdf'))
  it.each(everyFile)('%s gives no control, private or lost character', async (file) => {
    const text = await read(file).then(
      (extraction) => extraction.text,
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'DOCUMENT_UNREADABLE' })
        return ''
      }
    )
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(text).not.toMatch(/[\0-\u0008\u000B-\u001F\u007F-\u009F\p{Co}\uFFFD]/u)
  })
})
