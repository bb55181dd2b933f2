import fc from 'fast-check'

/** Levels of nesting that a recursive reader does not come back from. */
const DEEP = 100_000
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** Bodies that are not the JSON they say they are, or that cost more to read than to send. */
export const hostileJson: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      '',
      ' ',
      'null',
      '0',
      '"',
      '[',
      '{"query":',
      '{"query":"q"}}',
      "{'query':'q'}",
      '{"query":"q",}',
      '{"query":NaN}',
      '{"query":"\\ud800"}',
      '{"query":"\\u0000"}',
      '{"query":"q","topK":1e999}',
      '{"query":"q","topK":-0}',
      `{"query":"q","topK":${'9'.repeat(400)}}`,
      `{"query":"q","filters":{"metadata":{"n":${'1'.repeat(5_000)}}}}`,
      '{"query":"q","query":"r"}',
      '{"__proto__":{"scopes":["admin"]},"query":"q"}',
      '{"constructor":{"prototype":{"role":"admin"}},"query":"q"}',
      '{"query":"q","filters":{"metadata":{"__proto__":"x","constructor":"y","toString":"z"}}}',
      '{"query":"q","filters":{"metadata":{"hasOwnProperty":1}}}',
      '\u{feff}{"query":"q"}'
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom('[', '{"a":', '{"query":[', '[{"filters":').map((opening) => Buffer.from(opening.repeat(DEEP))),
  fc.constant(Buffer.from(`{"query":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`)),
  fc.constant(Buffer.from(JSON.stringify({ query: 'q', filters: { documentIds: Array(100_000).fill('d') } }))),
  fc.constant(Buffer.from(JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))))),
  fc.constant(Buffer.from(JSON.stringify({ query: `${'a'.repeat(300_000)}!`, username: '@'.repeat(300_000) }))),
  // An overlong slash, half a character, a surrogate in UTF-8, JSON in UTF-16.
  fc.constantFrom('22 c0 af 22', '22 e4 b8', '22 ed a0 80 22', 'ff fe 7b 00 7d 00').map(hex),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text))
)

/** Values for any field: of another type, at an edge, or a trap for what works with them later. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e\u0007',
    "' OR 1=1 --",
    '"; DROP TABLE users; --',
    '../../../../etc/passwd',
    '%00',
    '*',
    '" OR "',
    'NEAR(a b, 5)',
    '${7*7}{{7*7}}',
    '中'.repeat(5_000),
    [],
    {},
    [[[]]],
    ['admin', 'admin'],
    { $gt: '' }
  ),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.jsonValue({ maxDepth: 2 })
)

const LONG = 'x'.repeat(3_000)

/** Header lines, each as it is sent. */
export const hostileHeader: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom(
      '',
      ' ',
      'Bearer',
      'Bearer ',
      'Bearer oncall_x',
      'Bearer \u{ff}',
      'Basic YTpi',
      `Bearer ${LONG}`,
      'Bearer a b',
      'Negotiate',
      'Bearer null',
      'bearer oncall_\t'
    )
    .map((value) => `authorization: ${value}`),
  fc
    .constantFrom(
      'oncall_session',
      'oncall_session=',
      'oncall_session=%00',
      '=;=;;',
      `oncall_session=${LONG}`,
      '__proto__=1'
    )
    .map((value) => `cookie: ${value}`),
  fc
    .constantFrom('', 'a'.repeat(201), 'a b', '\u{e9}', '__proto__', "'; --", 'k')
    .map((value) => `idempotency-key: ${value}`),
  fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'lines=1').map((value) => `range: ${value}`),
  fc.constantFrom('*', '"', 'W/', `"${LONG}"`, ','.repeat(2_000), '\u{ff}').map((value) => `if-none-match: ${value}`),
  fc.constantFrom('DELETE', 'TRACE', '__proto__').map((value) => `x-http-method-override: ${value}`),
  fc.constantFrom('a b', '{{', LONG, '../..', '\u{ff}').map((value) => `x-request-id: ${value}`),
  fc.constantFrom('127.0.0.1', '::1, x', 'unknown', LONG).map((value) => `x-forwarded-for: ${value}`),
  fc.constantFrom('null', 'http://[', 'file://', 'http://evil.test', 'javascript:0').map((value) => `origin: ${value}`),
  fc.constantFrom('cross-site', 'x').map((value) => `sec-fetch-site: ${value}`),
  fc
    .constantFrom(
      '',
      'application/json; charset=utf-16',
      'application/json; charset=gbk',
      'application/json; charset="',
      'application/jsonx',
      'APPLICATION/JSON',
      'application/json, text/plain',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${LONG}`,
      'multipart/form-data; boundary="\\"',
      '/',
      '*/*',
      LONG
    )
    .map((value) => `content-type: ${value}`),
  fc.constantFrom('gzip', 'br', 'identity', 'x').map((value) => `content-encoding: ${value}`),
  fc.constantFrom('100-continue', '200-ok', 'x').map((value) => `expect: ${value}`),
  fc.constantFrom('websocket', 'h2c').map((value) => `connection: upgrade\r\nupgrade: ${value}`),
  fc.constantFrom(
    'host: other',
    'host: a:b:c',
    'host:',
    'te: trailers',
    'connection: x, close',
    'accept: application/xml'
  ),
  fc.constantFrom('a', ' : b', 'b d: c', 'c\u{0}: d', 'x: \u{1}', 'transfer-encoding: gzip', ': ', '__proto__: x')
)

/** Parts of an address: ways out, bytes that are no text, and names that objects have of their own. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/package.json',
    '../../package.json',
    '..\\..\\x',
    '%c0%af',
    '%ff',
    '%',
    '%zz',
    '%ED%A0%80',
    '%E4%B8%AD'.repeat(60),
    'x'.repeat(201),
    'x'.repeat(10_000),
    '__proto__',
    'constructor',
    'toString',
    ';jsessionid=1',
    '.',
    '..',
    '',
    '%20',
    '%0d%0aset-cookie:a=b',
    "'%20OR%201=1--",
    '%u0041',
    '\u{e4}',
    '{id}',
    ':id',
    '*'
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed()))
)

export const hostileQuery: fc.Arbitrary<string> = fc.constantFrom(
  '',
  '?',
  '?limit=0',
  '?limit=1e3',
  '?limit=-1',
  '?limit=1&limit=2',
  '?limit[]=1',
  '?limit=99999999999999999999',
  '?cursor=x',
  '?cursor=AA',
  '?cursor=LTE',
  '?cursor=OTk5OTk5OTk5OTk5OTk5OTk5OTk',
  `?cursor=${'A'.repeat(500)}`,
  '?cursor=%00',
  '?__proto__=1',
  '?__proto__[x]=1',
  '?constructor=1',
  '?version=0',
  '?version=9007199254740993',
  '?name=%25_%27',
  '?name=%ff',
  '?indexStatus=x',
  `?${'a&'.repeat(4_000)}`,
  '?a=%',
  '#x'
)
