import { describe, expect, it } from 'vitest'
import { needsShared, readShared, sharedIsAbsent } from '../../test-material/shared-files.ts'
import { decodeHtml } from './decode-html.ts'
import { extractHtml } from './extract-html.ts'

/** 数据库连接失败，请检查监听器 in GBK, and 資料庫連線失敗 in Big5. */
const gbk = Buffer.from('cafdbedd bfe2c1ac bdd3caa7 b0dca3ac c7ebbcec b2e9bce0 ccfdc6f7'.replaceAll(' ', ''), 'hex')
const big5 = Buffer.from('b8eaaec6ae77b373bd75a5a2b1d1', 'hex')
const page = (declaration: string, body: Uint8Array) =>
  Buffer.concat([Buffer.from(`<html><head>${declaration}</head><body><p>`), body, Buffer.from('</p></body></html>')])
const decode = (bytes: Uint8Array) => decodeHtml(bytes, 'a.html')

const readSaved = (file: string) => extractHtml(readShared(`files/encoding/${file}`), file, 100_000)

describe('the encoding of a page', () => {
  it.each([
    ['<meta charset="gb2312">', gbk, '数据库连接失败，请检查监听器'],
    ['<META HTTP-EQUIV="Content-Type" content="text/html; charset=GBK">', gbk, '数据库连接失败，请检查监听器'],
    ['<meta charset=big5>', big5, '資料庫連線失敗'],
    ['', gbk, '数据库连接失败，请检查监听器']
  ])('is what it declares, or what its bytes are: %s', (declaration, body, words) => {
    expect(extractHtml(page(declaration, body), 'a.html', 1_000).text).toBe(words)
  })

  it('is declared by an XML prolog too', () => {
    const source = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="Big5"?><html><p>'), big5])
    expect(decode(source)).toContain('資料庫連線失敗')
  })

  it('is UTF-8 where the bytes are, whatever is declared', () => {
    for (const charset of ['gb2312', 'iso-8859-1', 'big5'])
      expect(decode(page(`<meta charset=${charset}>`, Buffer.from('数据库连接失败')))).toContain('数据库连接失败')
  })

  it('is not UTF-8 for bytes that only happen to be', () => {
    // 联通 in GBK is valid UTF-8 for two letters that nobody writes.
    const body = Buffer.concat([gbk, Buffer.from('c1aacda8', 'hex')])
    expect(decode(page('<meta charset=gbk>', body))).toContain('监听器联通')
  })

  it('is Chinese for Chinese that is declared as Latin', () => {
    expect(decode(page('<meta charset=iso-8859-1>', gbk))).toContain('数据库连接失败')
    expect(decode(page('<meta charset=iso-8859-1>', Buffer.from('caf\xe9 cr\xe8me', 'latin1')))).toContain('café crème')
  })

  it('is that of the byte order mark, before any declaration', () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<meta charset=gbk><p>磁盘', 'utf16le')])
    expect(decode(utf16)).toBe('<meta charset=gbk><p>磁盘')
    expect(decode(Buffer.from('\uFEFF<meta charset=gbk><p>磁盘'))).toContain('<p>磁盘')
  })

  it('is guessed as for text where the declared one is unknown or wrong', () => {
    expect(decode(page('<meta charset=klingon>', gbk))).toContain('数据库')
    expect(decode(page('<meta charset=utf-8>', gbk))).toContain('数据库')
    expect(() => decode(page('', big5))).toThrow(
      expect.objectContaining({ details: { file: 'a.html', reason: 'encoding' } })
    )
    expect(() => decode(page('<meta charset=gbk>', Buffer.from([0, 1, 0x80])))).toThrow(
      expect.objectContaining({ details: { file: 'a.html', reason: 'binary' } })
    )
  })
})

describe.skipIf(sharedIsAbsent)(`saved pages in other encodings${needsShared}`, () => {
  it('in GB2312 without a declaration is read', () => {
    const { text } = readSaved('GB2312___mozilla_bug171813_text.html')
    expect(text).toContain('搜狐在线')
    expect(text).not.toMatch(/[<>]|\uFFFD/)
  })

  it.each([
    'Big5___chromium_Big5_with_no_encoding_specified.html',
    'EUC-KR___chromium_windows-949_with_no_encoding_specified.html',
    'EUC-JP___mozilla_bug426271_text-euc-jp.html'
  ])('%s is refused, not guessed', (file) => {
    expect(() => readSaved(file)).toThrow(expect.objectContaining({ details: { file, reason: 'encoding' } }))
  })
})
