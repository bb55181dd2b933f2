import { describe, expect, test } from 'vitest'
import { partNameOf } from './part-name.ts'

const nameOf = (disposition: string, encoding: BufferEncoding = 'utf8') =>
  partNameOf(Buffer.from(`\r\nContent-Disposition: form-data; ${disposition}\r\nContent-Type: text/markdown`, encoding))

describe('the file name of a part', () => {
  test.each([
    ['raw UTF-8, as browsers send', 'name="file"; filename="数据库手册.md"', '数据库手册.md'],
    ['with marks that browsers escape', 'name="file"; filename="a%22b%0Ac%0D.md"', 'a"b\nc\r.md'],
    ['with marks that other clients escape', 'name="file"; filename="a\\"b\\\\c.md"', 'a"b\\c.md'],
    ['with a percent sign of its own', 'name="file"; filename="100%.md"', '100%.md'],
    ['with a percent code of its own', 'name="file"; filename="a%20b.md"', 'a%20b.md'],
    ['a Windows path', 'name="file"; filename="C:\\x.md"', 'C:\\x.md'],
    ['a path that leaves its folder', 'name="file"; filename="..\\..\\outside.md"', '..\\..\\outside.md'],
    ['the same with each mark doubled', 'name="file"; filename="..\\\\..\\\\outside.md"', '..\\..\\outside.md'],
    ['with a semicolon and an equals sign', 'name="file"; filename="a; name=x.md"', 'a; name=x.md'],
    ['without quotes', 'name=file; filename=a.md', 'a.md'],
    ['before the field', 'filename="a.md"; name="file"', 'a.md'],
    ['RFC 5987', 'name="file"; filename*=UTF-8\'\'%E6%95%B0%E6%8D%AE.md', '数据.md'],
    ['RFC 5987 in Latin 1', 'name="file"; filename*=iso-8859-1\'en\'caf%E9.md', 'café.md'],
    ['RFC 5987 beside a plain one', 'name="file"; filename="x.md"; filename*=utf-8\'\'%C3%A9.md', 'é.md'],
    ['with an emoji', 'name="file"; filename="🔥 runbook 🚒.md"', '🔥 runbook 🚒.md'],
    ['over two lines', 'name="file";\r\n filename="a.md"', 'a.md'],
    ['empty', 'name="file"; filename=""', '']
  ])('is read %s', (_what, disposition, fileName) => {
    expect(nameOf(disposition)).toEqual({ field: 'file', fileName })
  })

  test('is none where there is none', () => {
    expect(nameOf('name="title"')).toEqual({ field: 'title', fileName: undefined })
  })

  test.each([
    ['bytes of Latin 1', 'name="file"; filename="café.md"', 'latin1'],
    ['a character set that is not known', 'name="file"; filename*=gbk\'\'%C4%E3.md', 'utf8'],
    ['bad UTF-8 in percent codes', 'name="file"; filename*=UTF-8\'\'%E6%95.md', 'utf8'],
    ['half a surrogate pair in percent codes', 'name="file"; filename*=UTF-8\'\'%ED%A0%BD.md', 'utf8'],
    ['no character set', 'name="file"; filename*=a.md', 'utf8']
  ] as const)('is refused as %s, and the refusal says how to send it', (_what, disposition, encoding) => {
    expect(() => nameOf(disposition, encoding)).toThrow(/the name is not valid UTF-8.*filename\*/)
  })

  test.each(['filename="a.md"', 'nam="file"'])('is refused without a field: %s', (disposition) => {
    expect(() => nameOf(disposition)).toThrow('has no name')
  })

  test('is refused with content that is encoded, which nobody decodes', () => {
    const headers = 'content-disposition: form-data; name="file"; filename="a"\r\ncontent-transfer-encoding: base64'
    expect(() => partNameOf(Buffer.from(headers))).toThrow('encoded')
  })
})
