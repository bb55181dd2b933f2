import fc from 'fast-check'
import type { RawRequest } from './raw-request.ts'
import type { Target } from './targets.ts'

type Frame = (target: Target) => RawRequest

const JSON_TYPE = 'content-type: application/json'

/** A request whose headers say another body than the one that follows. */
const saying =
  (headers: readonly string[], body: string): Frame =>
  (target) => ({
    bytes: Buffer.concat([target.request({ headers: [JSON_TYPE, ...headers] }), Buffer.from(body, 'latin1')])
  })

const plain =
  (bytes: string): Frame =>
  () => ({ bytes: Buffer.from(bytes, 'latin1') })

/** Ways to say where a request ends that are wrong, or that two readers would read differently. */
export const brokenFraming: fc.Arbitrary<Frame> = fc.oneof(
  fc.constantFrom(
    saying(['content-length: 10'], '{}'),
    saying(['content-length: 1'], '{"query":"q"}'),
    saying(['content-length: -1'], '{}'),
    saying(['content-length: 1e3'], '{}'),
    saying(['content-length: 0x2'], '{}'),
    saying([`content-length: ${'9'.repeat(30)}`], '{}'),
    saying(['content-length: 99999999'], '{}'),
    saying(['content-length: 2', 'content-length: 3'], '{}'),
    saying(['content-length: 2', 'transfer-encoding: chunked'], '0\r\n\r\n'),
    saying(['transfer-encoding: chunked, identity'], '0\r\n\r\n'),
    saying(['transfer-encoding: xchunked'], '0\r\n\r\n'),
    saying(['transfer-encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
    saying(['transfer-encoding: chunked'], 'ffffffffffffffffff\r\n{}'),
    saying(['transfer-encoding: chunked'], '2\r\n{}0\r\n\r\n'),
    saying(['transfer-encoding: chunked'], '2\r\n{}\r\n'),
    saying(['transfer-encoding: chunked'], `2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    saying(['transfer-encoding: chunked'], `2\r\n{}\r\n0\r\n${'t: x\r\n'.repeat(5_000)}\r\n`),
    saying(['transfer-encoding: chunked'], `${'1\r\n \r\n'.repeat(5_000)}2\r\n{}\r\n0\r\n\r\n`),
    plain('GET /health\r\n\r\n'),
    plain('GET /health HTTP/0.9\r\n\r\n'),
    plain('GET /health HTTP/1.1\r\n\r\n'),
    plain('GET /health HTTP/2.0\r\nhost: x\r\n\r\n'),
    plain('GET  /health  HTTP/1.1\r\nhost: x\r\n\r\n'),
    plain('GET http://other/health HTTP/1.1\r\nhost: x\r\n\r\n'),
    plain('GET * HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'),
    plain('GET /health HTTP/1.1\nhost: 127.0.0.1\n\n'),
    plain('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n x: folded\r\n\r\n'),
    plain('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    plain('\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{fc}\u{3}\u{3}'),
    plain('\r\n'.repeat(1_000)),
    plain(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`),
    plain(`GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n${'a: b\r\n'.repeat(10_000)}\r\n`),
    plain('GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(500)),
    plain('')
  ),
  fc.uint8Array({ maxLength: 400 }).map((bytes): Frame => () => ({ bytes: Buffer.from(bytes) })),
  // A good request that breaks off, waits, or has one byte of another value.
  fc.tuple(fc.nat(), fc.nat(255), fc.boolean()).map(([at, byte, cut]): Frame => {
    return (target) => {
      const bytes = target.request({ headers: [JSON_TYPE], body: Buffer.from('{"query":"q"}') })
      const index = at % bytes.length
      if (cut) return { bytes: bytes.subarray(0, index) }
      bytes[index] = byte
      return { bytes, pauseAt: index }
    }
  })
)
