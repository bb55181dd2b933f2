import { describe, expect, it } from 'vitest'
import { detectErrorCodes } from './detect-error-codes.ts'

const codes = (text: string) => detectErrorCodes(text, 64)

describe('codes in a text', () => {
  it.each([
    ['重启后仍报 E_CONN_RESET，见附录', ['E_CONN_RESET']],
    ['net::ERR_CONNECTION_TIMED_OUT in the browser', ['ERR_CONNECTION_TIMED_OUT']],
    ['connect ECONNREFUSED 127.0.0.1:6379', ['ECONNREFUSED']],
    ['ORA-00942: table or view does not exist', ['ORA-00942']],
    ['出现ORA-01555错误时', ['ORA-01555']],
    ['failed with 0x80070005 and 0XC0000005', ['0x80070005', '0xC0000005']],
    [
      'HTTP 503, HTTP/1.1 502, HTTP 状态码：504, HTTP status code 500',
      ['HTTP 503', 'HTTP 502', 'HTTP 504', 'HTTP 500']
    ],
    ['ERROR 1205 (HY000): Lock wait timeout exceeded', ['1205']],
    ['MySQL error code: 1213; errno=28', ['1213', '28']],
    ['错误码 1062，故障码为E101，返回码：-', ['1062', 'E101']],
    ['SQLSTATE[40001] and SQLCODE=-911, SQL0911N', ['40001', '-911', 'SQL0911N']]
  ])('%s', (text, expected) => {
    expect(codes(text)).toEqual(expected)
  })

  it.each([
    'ISO-8859 and RFC-7231, UTF-16, OPS-1234, CVE-2021-44228',
    'EXAMPLE, ERROR, ELASTICSEARCH, EOF',
    'error 1024 bytes were written; ERROR 12 times',
    'port 6379, 500 requests, HTTP 200, HTTP 5xx, HTTPS 443',
    'at 0x7ffee4c0 or 0x00000001; colour #80070005',
    'MY_E_CONN_RESET, XECONNRESET, ORA-12',
    'in 2024, 1205 people'
  ])('no code: %s', (text) => {
    expect(codes(text)).toEqual([])
  })

  it('are named once, in the order of the text, and no more than the limit', () => {
    expect(codes('E_B then E_A then E_B, 0x8007000E and 0x8007000e')).toEqual(['E_B', 'E_A', '0x8007000E'])
    const many = Array.from({ length: 100 }, (_, at) => `E_CODE_${at}`).join(' ')
    expect(detectErrorCodes(many, 3)).toEqual(['E_CODE_0', 'E_CODE_1', 'E_CODE_2'])
    expect(detectErrorCodes(many, 0)).toEqual([])
    expect(codes(`E_${'A'.repeat(100)}`)).toEqual([])
  })

  it('are found soon in a text that is long and made to be slow', () => {
    const started = performance.now()
    for (const piece of ['E_', 'HTTP ', 'error code ', 'ERR_A_', '错误码：', '0x8', ' '.repeat(50)]) {
      codes(piece.repeat(1_000_000 / piece.length))
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
