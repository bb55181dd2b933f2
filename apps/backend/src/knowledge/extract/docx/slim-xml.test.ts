import { describe, expect, it } from 'vitest'
import { countElements, slimXml } from './slim-xml.ts'

describe('slimming', () => {
  it('takes away looks and makes one run of several', () => {
    const xml =
      '<w:p w:rsidR="1"><w:pPr><w:jc w:val="left"/><w:rPr><w:b/></w:rPr></w:pPr><w:r w:rsidR="2"><w:rPr><w:b/><w:sz w:val="2"/></w:rPr>' +
      '<w:t xml:space="preserve">a </w:t></w:r><w:proofErr w:type="x"/><w:r><w:t>b</w:t></w:r><w:r><w:t>c</w:t></w:r></w:p>'
    expect(slimXml(xml)).toBe('<w:p><w:r><w:t xml:space="preserve">a bc</w:t></w:r></w:p>')
  })

  it('keeps styles, numbers, notes, breaks and what is deleted or raised', () => {
    const kept =
      '<w:p><w:pPr><w:pStyle w:val="1"/><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:tab/><w:br/><w:noBreakHyphen/>' +
      '<w:footnoteReference w:id="2"/></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>a</w:t></w:r>' +
      '<w:r><w:t>b</w:t></w:r><w:del w:id="1"><w:r><w:delText>c</w:delText></w:r></w:del></w:p><w:p/>'
    expect(slimXml(kept)).toBe(kept)
  })

  it('touches no words, and takes time in proportion', () => {
    expect(slimXml('<w:t>w:rsidR="1" &lt;w:b/&gt;</w:t>')).toBe('<w:t>w:rsidR="1" &lt;w:b/&gt;</w:t>')
    const started = performance.now()
    for (const piece of ['<w:b ', '<w:p ', '<w:r><w:t>', '</w:t></w:r><w:r><w:t>', '<w:rPr>'])
      slimXml(piece.repeat(500_000))
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  it('counts elements by their beginnings', () => {
    expect(countElements('<a><b/>text<c></c></a>')).toBe(3)
  })
})
