import { describe, expect, test } from 'vitest'
import { isLogLine } from './log-line.ts'
import { withPasted } from './search-fields.ts'

describe('pasted text', () => {
  test.each([
    '2026-11-30T12:00:01.123Z pay-gateway connection reset',
    '[2026-11-30 12:00:01] E1042',
    'Nov 30 12:00:01 host kernel: oom',
    '12:00:01 upstream timed out',
    'ERROR [main] pool exhausted after 30 s',
    'java.lang.IllegalStateException: no\n\tat Main.main(Main.java:7)',
    'payments fail whenever the gateway was restarted during the nightly clearing run',
    '支付网关在夜间清算期间重启之后，客户端会持续出现连接被重置的错误，需要人工介入处理。'.repeat(2)
  ])('%j is a log line or a sentence', (text) => {
    expect(isLogLine(text)).toBe(true)
  })

  test.each([
    'E_CONN_RESET',
    'redis timeout',
    'ERROR E1042',
    '"connection reset" gateway',
    '2026-11-30',
    ' 支付网关 连接被重置\n',
    'com.example.payments.gateway.internal.retry.ExponentialBackoffRetryPolicy'
  ])('%j is keywords', (text) => {
    expect(isLogLine(text)).toBe(false)
  })

  test('is put behind the sentence that stands there, and never longer than one may be', () => {
    expect(withPasted(' it fails ', 'ERROR x\n')).toBe('it fails\nERROR x')
    const long = withPasted('', `${'x'.repeat(3_999)}😀`)
    expect([long.length, long.at(-1)]).toEqual([3_999, 'x'])
  })
})
