import { describe, expect, it } from 'vitest'
import { formatOfName, sniffFormat } from './sniff.ts'

const refused = (name: string, content: string | Buffer) => {
  try {
    sniffFormat(name, Buffer.from(content as string))
  } catch (error) {
    return error as { code: string; message: string; hint: string; details: { reason?: string } }
  }
  throw new Error('it was accepted')
}

describe('sniffing', () => {
  it.each([
    ['a.md', 'markdown'],
    ['A.MARKDOWN', 'markdown'],
    ['docs/x.y.mdx', 'markdown'],
    ['a.txt', 'text'],
    ['a.text', 'text'],
    ['a.PDF', 'pdf'],
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
    expect(error.hint).toContain('.md, .markdown, .mdx, .txt, .text, .pdf')
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
    expect(refused('a.md', Buffer.from([0x50, 0x4b, 3, 4, 0])).message).toContain('a ZIP archive')
    expect(refused('a.md', '<!DOCTYPE html><p>x').message).toContain('an HTML page')
  })

  it('leaves text alone that only speaks of PDF and HTML', () => {
    expect(sniffFormat('a.md', Buffer.from('A PDF begins with %PDF-1.4\n'))).toBe('markdown')
    expect(sniffFormat('a.md', Buffer.from('<div align="center">\n\n# Title\n'))).toBe('markdown')
  })

  it('calls an empty file empty', () => {
    expect(refused('a.md', '')).toMatchObject({ message: 'a.md is empty', details: { reason: 'empty' } })
  })
})
