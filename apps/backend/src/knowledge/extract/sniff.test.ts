import { describe, expect, it } from 'vitest'
import { makeDocx, makeZip } from '../test-material/make-docx.ts'
import { formatOfName, sniffFormat } from './sniff.ts'

const refused = (name: string, content: string | Buffer) => {
  try {
    sniffFormat(name, Buffer.from(content as string))
  } catch (error) {
    return error as { code: string; message: string; hint: string; details: { reason?: string } }
  }
  throw new Error('it was accepted')
}

const takes = (content: string | Buffer) => sniffFormat('a.html', Buffer.from(content as string))
const ole = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(stream, 'utf16le')])

describe('sniffing', () => {
  it.each([
    ['a.md', 'markdown'],
    ['A.MARKDOWN', 'markdown'],
    ['docs/x.y.mdx', 'markdown'],
    ['a.txt', 'text'],
    ['a.text', 'text'],
    ['a.PDF', 'pdf'],
    ['a.Html', 'html'],
    ['a.htm', 'html'],
    ['a.xhtml', 'html'],
    ['手册.DOCX', 'docx'],
    ['a.constructor', undefined],
    ['server.log', undefined],
    ['rules.yaml', undefined],
    ['Makefile', undefined],
    ['evil.md.exe', undefined]
  ])('takes %s for %s', (name, format) => {
    expect(formatOfName(name)).toBe(format)
  })

  it('accepts bytes that are what the name says', () => {
    expect(sniffFormat('a.md', Buffer.from('# Title'))).toBe('markdown')
    expect(sniffFormat('a.pdf', Buffer.from('%PDF-1.7\n...'))).toBe('pdf')
    // Some producers put a few bytes before the header.
    expect(sniffFormat('a.pdf', Buffer.from('\0\0%PDF-1.7\n...'))).toBe('pdf')
  })

  it('names an unsupported type and what would be supported', () => {
    const error = refused('rules.yaml', 'groups:')
    expect(error.code).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(error.message).toBe('rules.yaml: .yaml files are not supported')
    expect(error.hint).toBe('Supported are .md, .markdown, .mdx, .txt, .text, .pdf, .html, .htm, .xhtml, .docx.')
    expect(refused('LICENSE', 'x').message).toBe('LICENSE: files without an extension are not supported')
  })

  it('says that a file is not the PDF its name promises', () => {
    const error = refused('manual.pdf', '<html><body>login page</body></html>')
    expect(error).toMatchObject({ code: 'DOCUMENT_UNREADABLE', details: { reason: 'wrong-extension' } })
    expect(error.message).toBe('manual.pdf is named like a PDF but holds an HTML page')
    expect(refused('a.pdf', 'just words').message).toContain('does not start like one')
  })

  it('says what a file that is named like a text really is', () => {
    expect(refused('a.md', '%PDF-1.4 ...').message).toBe('a.md is named like a text file but holds a PDF')
    expect(refused('a.txt', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0])).message).toContain('a PNG picture')
    expect(refused('a.md', Buffer.from([0x50, 0x4b, 3, 4, 0])).message).toContain('a damaged ZIP archive')
    expect(refused('a.md', '<!DOCTYPE html><p>x')).toMatchObject({
      message: 'a.md is named like a text file but holds an HTML page',
      hint: 'Rename it to end in .html.'
    })
    expect(refused('a.txt', makeDocx({ body: '' }))).toMatchObject({
      message: 'a.txt is named like a text file but holds a Word document',
      hint: 'Rename it to end in .docx.'
    })
  })

  it('leaves text alone that only speaks of PDF and HTML', () => {
    expect(sniffFormat('a.md', Buffer.from('A PDF begins with %PDF-1.4\n'))).toBe('markdown')
    expect(sniffFormat('a.md', Buffer.from('<div align="center">\n\n# Title\n'))).toBe('markdown')
  })

  it('calls an empty file empty', () => {
    expect(refused('a.md', '')).toMatchObject({ message: 'a.md is empty', details: { reason: 'empty' } })
  })

  it('takes for HTML what has a tag, in any encoding', () => {
    expect(takes('<!DOCTYPE html><p>x')).toBe('html')
    expect(takes('<?xml version="1.0"?>\n<!-- saved -->\n<html xmlns="http://www.w3.org/1999/xhtml">')).toBe('html')
    expect(takes('<ac:structured-macro ac:name="code"></ac:structured-macro>')).toBe('html')
    expect(takes(Buffer.from('\uFEFF<table><tr><td>x', 'utf16le'))).toBe('html')
    expect(refused('a.html', 'just <words> and 1 < 2')).toMatchObject({
      message: 'a.html is named like an HTML page but holds plain text',
      hint: 'Rename it to end in .txt or .md.',
      details: { reason: 'wrong-extension' }
    })
    expect(refused('a.htm', '%PDF-1.4')).toMatchObject({ hint: 'Rename it to end in .pdf.' })
  })

  it('takes for a Word document only what is one, and says what it is otherwise', () => {
    expect(sniffFormat('a.docx', makeDocx({ body: '' }))).toBe('docx')
    expect(sniffFormat('a.docx', makeZip([{ name: 'word\\document2.xml', content: 'x' }], true))).toBe('docx')
    const holding = (name: string) => refused('a.docx', makeZip([{ name, content: 'x' }])).message
    const named = 'a.docx is named like a Word document but holds'
    expect(holding('xl/workbook.xml')).toBe(`${named} an Excel workbook`)
    expect(holding('ppt/presentation.xml')).toBe(`${named} a PowerPoint presentation`)
    expect(holding('../../etc/word/document.xml')).toBe(`${named} a ZIP archive`)
    expect(refused('a.docx', makeDocx({ body: '' }).subarray(0, 500)).message).toContain('a damaged ZIP archive')
    expect(refused('a.docx', '<html>log in').hint).toContain('login page')
    expect(refused('a.docx', 'words').message).toBe('a.docx is named like a Word document but does not start like one')
  })

  it('tells an old Word document from one with a password', () => {
    expect(refused('a.docx', ole('EncryptedPackage'))).toMatchObject({
      message: 'a.docx is password-protected',
      hint: 'Save a copy without a password and index that.',
      details: { reason: 'docx-encrypted' }
    })
    expect(refused('a.docx', ole('WordDocument'))).toMatchObject({
      message: 'a.docx is named like a Word document but holds an old Word document (.doc)',
      hint: 'Open it in Word and save it as .docx.'
    })
    const legacy = refused('手册.doc', ole('WordDocument'))
    expect(legacy.message).toBe('手册.doc: .doc files are not supported')
    expect(legacy.hint).toMatch(/^Open it in a word processor and save it as \.docx\. Supported are /)
  })
})
