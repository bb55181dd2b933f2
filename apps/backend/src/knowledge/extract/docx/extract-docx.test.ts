import { describe, expect, it } from 'vitest'
import { type DocxParts, makeDocx, makeZip, docxFiles, paragraph, run, style } from '../../test-material/make-docx.ts'
import { extractDocx } from './extract-docx.ts'

const extract = (parts: DocxParts) => extractDocx(makeDocx(parts), 'manual.docx', 2_000_000)
const text = async (body: string, styles = '') => (await extract({ body, styles })).text
const headings = async (body: string, styles: string) =>
  (await extract({ body, styles })).blocks
    .filter((block) => block.kind === 'heading')
    .map(({ level, title }) => `${level} ${title}`)

const cell = (content: string, more = '') => `<w:tc><w:tcPr>${more}</w:tcPr>${content}</w:tc>`
const level = (at: number, format: string) => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${format}"/></w:lvl>`
const item = (words: string, at: number) =>
  paragraph(words, undefined, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="5"/></w:numPr>`)
const piece = (words: string, looks: string) =>
  `<w:r w:rsidRPr="00A1"><w:rPr><w:rFonts w:hint="eastAsia"/>${looks}</w:rPr><w:t xml:space="preserve">${words}</w:t></w:r>`
const picture = (words: string) =>
  `<w:p><w:r><w:drawing><wp:inline><wp:docPr descr="${words}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="r-image"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

describe('a Word document', () => {
  it('becomes headings, paragraphs and tables', async () => {
    const table =
      `<w:tbl><w:tr>${cell(paragraph('主机'))}${cell(paragraph('端口'))}</w:tr>` +
      `<w:tr>${cell(paragraph('db'), '<w:vMerge w:val="restart"/>')}${cell(paragraph('1521') + paragraph('1522'))}</w:tr>` +
      `<w:tr>${cell(paragraph(''), '<w:vMerge/>')}${cell(paragraph('1|2'))}</w:tr></w:tbl>`
    const body = paragraph('监听器', '1') + paragraph('先检查。') + table
    expect(await extract({ body, styles: style('1', 'heading 1') })).toMatchObject({
      title: '监听器',
      text: '# 监听器\n\n先检查。\n\n| 主机 | 端口 |\n| --- | --- |\n| db | 1521 1522 |\n| db | 1\\|2 |',
      attributes: { errorCodes: [] },
      warnings: []
    })
  })

  it('has headings by the names of their styles, in two languages, and by outline level', async () => {
    const styles = [
      style('1', 'heading 1'),
      style('a2', '标题 2'),
      style('a3', "部门's 三级", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
      style('a4', '一级标题', '<w:basedOn w:val="1"/>'),
      style('a5', '正文缩进', '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
      style('a6', 'A', '<w:basedOn w:val="a7"/>'),
      style('a7', 'B', '<w:basedOn w:val="a6"/>')
    ].join('')
    const body = ['1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((id) => paragraph(`in ${id}`, id)).join('')
    expect(await headings(body, styles)).toEqual(['1 in 1', '2 in a2', '3 in a3', '1 in a4'])
  })

  it('takes its title from the paragraph in that style', async () => {
    const styles = style('T', 'Title') + style('1', 'heading 1')
    const body = paragraph('磁盘满 处理手册', 'T') + paragraph('a', '1') + paragraph('x') + paragraph('b', '1')
    expect((await extract({ body, styles })).title).toBe('磁盘满 处理手册')
    expect((await extract({ body: paragraph('x') })).title).toBeUndefined()
  })

  it('keeps the lines of code, whose paragraphs are one block', async () => {
    const styles = style('c', '代码') + style('h', 'HTML Preformatted')
    const lines = paragraph('for f in *; do', 'c') + paragraph('  rm &lt;$f&gt;', 'c') + paragraph('done', 'c')
    expect(await text(`${lines}${paragraph('then')}${paragraph('ls', 'h')}`, styles)).toBe(
      '```\nfor f in *; do\n  rm <$f>\ndone\n```\n\nthen\n\n```\nls\n```'
    )
    expect(await text(`<w:p>${run('one')}<w:r><w:br/></w:r>${run('two')}</w:p>`)).toBe('one\ntwo')
  })

  it('keeps lists with their levels and numbers', async () => {
    const numbering =
      `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal')}${level(1, 'bullet')}</w:abstractNum>` +
      '<w:num w:numId="5"><w:abstractNumId w:val="0"/></w:num>'
    const body = item('stop', 0) + item('wait', 1) + item('start', 0)
    expect((await extract({ body, numbering })).text).toBe('1. stop\n   - wait\n2. start')
  })

  it('keeps text boxes and notes, and no mark of a note', async () => {
    const box = `<w:p><w:r><mc:AlternateContent><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph('boxed')}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`
    const noted = `<w:p>${run('see')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' there')}</w:p>`
    const footnotes = `<w:footnote w:id="2">${paragraph('the note')}</w:footnote>`
    expect((await extract({ body: noted + box, footnotes })).text).toBe('see there\n\nboxed\n\n1. the note')
  })

  it('loses no word where Word has cut a sentence into runs', async () => {
    const cut =
      piece('错误 ', '<w:b/>') +
      '<w:proofErr w:type="spellStart"/>' +
      piece('ORA', '') +
      piece('-12516', '<w:sz w:val="24"/>')
    const raised = `${piece('10', '')}${piece('6', '<w:vertAlign w:val="superscript"/>')}${piece(' rows', '')}`
    expect(await text(`<w:p>${raised}</w:p>`)).toBe('10^6 rows')
    const tab = '<w:r><w:tab/><w:t>x</w:t></w:r>'
    expect(await text(`<w:p w:rsidR="00A77427"><w:pPr><w:spacing w:line="3"/></w:pPr>${cut}${tab}</w:p>`)).toBe(
      '错误 ORA-12516 x'
    )
  })

  it('leaves out its table of contents and what was deleted', async () => {
    const body =
      paragraph('Steps 3', 't') + `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>${run('kept')}</w:p>`
    expect(await text(body, style('t', 'toc 1'))).toBe('kept')
  })

  it('says how many pictures and equations were not read', async () => {
    const read = await extract({ body: `${picture('topology')}${picture('map')}<w:p><m:oMath/></w:p>` })
    expect(read).toMatchObject({
      text: 'topology\n\nmap',
      warnings: ['2 pictures were not read', '1 equation was not read']
    })
  })

  it('of pictures alone is refused, and says so', async () => {
    await expect(extract({ body: picture('') })).rejects.toMatchObject({
      message: 'manual.docx has no text: its picture is all it holds',
      details: { reason: 'no-text' }
    })
  })

  it('is read from an archive above 4 GiB too, or one that is not packed', async () => {
    const files = docxFiles({ body: paragraph('words') })
    for (const archive of [makeZip(files, true), makeZip(files.map((file) => ({ ...file, method: 0 })))])
      expect((await extractDocx(archive, 'a.docx', 1_000)).text).toBe('words')
  })
})
