import fc from 'fast-check'

export interface HostileForm {
  readonly contentType: string
  readonly headers: readonly string[]
  readonly body: Buffer
}

const B = 'bound'

function part(headers: string, content = 'text'): string {
  return `--${B}\r\n${headers}\r\n\r\n${content}\r\n`
}

const disposition = (rest: string) => `content-disposition: form-data; ${rest}`
const aFile = (name: string, content = '# title\n') => part(disposition(`name="file"; filename="${name}"`), content)
const END = `--${B}--\r\n`

const bodies = fc.oneof(
  fc.constantFrom(
    '',
    END,
    `--${B}`,
    `--${B}\r\n`,
    `--${B}\r\n\r\n\r\n${END}`,
    `${aFile('a.md')}`,
    `${aFile('a.md')}--${B}-`,
    `preamble\r\n${aFile('a.md')}${END}epilogue`,
    `${part('content-disposition: attachment')}${END}`,
    `${part(disposition('name="file"'))}${END}`,
    `${part(disposition('filename="a.md"'))}${END}`,
    `${part(disposition('name="file"; filename="a.md"; filename*=UTF-16\'\'x'))}${END}`,
    `${part(disposition('name="file"; filename*=utf-8\'\'%ff%fe'))}${END}`,
    `${part(`${disposition('name="file"; filename="a.md"')}\r\ncontent-transfer-encoding: base64`)}${END}`,
    `${part(`${disposition('name="file"; filename="a.md"')}\r\n${'x: y\r\n'.repeat(5_000)}`)}${END}`,
    `${part(`x: ${'y'.repeat(100_000)}`)}${END}`,
    `${part(disposition(`name="${'n'.repeat(50_000)}"`))}${END}`,
    `${part(disposition('name="__proto__"'))}${aFile('a.md')}${END}`,
    `${part(disposition('name="constructor"'), '1')}${aFile('b.md')}${END}`,
    `${part(disposition('name="index"'), 'maybe')}${aFile('c.md')}${END}`,
    `${part(disposition('name="index"'), 'true')}${part(disposition('name="index"'), 'true')}${aFile('d.md')}${END}`,
    `${part(disposition('name="title"'), 't'.repeat(500_000))}${aFile('e.md')}${END}`,
    `${part(disposition('name="title"'), '\0\u{1b}')}${aFile('f.md')}${END}`,
    `${part(disposition('name="errorCodes"'), 'E,'.repeat(5_000))}${aFile('g.md')}${END}`,
    `${part(disposition('name="title"')).repeat(3_000)}${END}`,
    `${aFile('h.md').repeat(200)}${END}`,
    `${aFile('i.pdf', '%PDF-1.7 rubbish')}${END}`,
    `${aFile('j.docx', 'PK\u{3}\u{4}rubbish')}${END}`,
    `${aFile('k.md', '')}${END}`,
    `${aFile('l.exe', 'MZ')}${END}`,
    `${aFile('m.md', `\r\n--${B}x\r\n-${B}`)}${END}`
  ),
  fc
    .constantFrom(
      '',
      '.',
      '..',
      '../../x.md',
      'C:\\x.md',
      '/etc/passwd',
      'a\0.md',
      'CON.md',
      `${'n'.repeat(5_000)}.md`,
      '\u{ff}\u{fe}.md',
      '-rf.md',
      ' .md'
    )
    .map((name) => `${aFile(name)}${END}`),
  fc.nat().map((at) => {
    const whole = `${part(disposition('name="index"'), 'false')}${aFile('z.md')}${END}`
    return whole.slice(0, at % whole.length)
  })
)

const contentTypes = fc.oneof(
  { weight: 4, arbitrary: fc.constant(`multipart/form-data; boundary=${B}`) },
  fc.constantFrom(
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary="${B}`,
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    `multipart/form-data; boundary=${B}; boundary=x`,
    `multipart/mixed; boundary=${B}`,
    'application/json'
  )
)

const idempotencyKeys = fc.constantFrom(
  [],
  [],
  ['idempotency-key: k'],
  ['idempotency-key: '],
  ['idempotency-key: a b'],
  ['idempotency-key: a', 'idempotency-key: b'],
  [`idempotency-key: ${'k'.repeat(201)}`]
)

/** Forms that are cut, that lie, or whose parts are named to get somewhere. */
export const hostileForm: fc.Arbitrary<HostileForm> = fc
  .tuple(contentTypes, idempotencyKeys, bodies)
  .map(([contentType, headers, body]) => ({ contentType, headers, body: Buffer.from(body, 'latin1') }))
