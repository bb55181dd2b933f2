import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readParts } from './read-parts.ts'

interface Read {
  readonly headers: string
  readonly content: string
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(body: Buffer, size: number, boundary = 'b'): Promise<readonly Read[]> {
  const parts: Read[] = []
  for await (const { headers, content } of readParts(inChunks(body, size), boundary)) {
    const chunks: Buffer[] = []
    for await (const chunk of content) chunks.push(chunk)
    parts.push({ headers: headers.toString('latin1'), content: Buffer.concat(chunks).toString('latin1') })
  }
  return parts
}

const written = (parts: readonly Read[], boundary = 'b') =>
  Buffer.from(
    `${parts.map(({ headers, content }) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`,
    'latin1'
  )

/** Text that comes as near to a boundary as it may. */
const tricky = fc
  .array(fc.constantFrom('\r', '\n', '-', 'b', 'x', '\0', '\r\n--', '\xff'), { maxLength: 40 })
  .map((pieces) => pieces.join(''))
  .filter((content) => !`\r\n${content}\r\n--b`.slice(0, -1).includes('\r\n--b'))

describe('the parts of a multipart body', () => {
  test('are what was written, however the body is cut', async () => {
    const part = fc.record({ headers: fc.constantFrom('a: 1', 'a: 1\r\nb: 2'), content: tricky })
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 64 }),
        async (parts, size) => {
          expect(await read(written(parts), size)).toEqual(parts)
        }
      )
    )
  })

  test('may have a preamble, an epilogue, spaces after a boundary, and no headers', async () => {
    const body = Buffer.from('hello\r\n--b  \r\n\r\none\r\n--b\r\nh: 1\r\n\r\n\r\n--b-- \r\nbye')
    for (const size of [1, 7, 1_000]) {
      expect(await read(body, size)).toEqual([
        { headers: '', content: 'one' },
        { headers: 'h: 1', content: '' }
      ])
    }
  })

  test('that are not read are passed over', async () => {
    const parts = [1, 2, 3].map((each) => ({ headers: `n: ${each}`, content: 'x'.repeat(100) }))
    const seen: string[] = []
    for await (const { headers } of readParts(inChunks(written(parts), 7), 'b')) seen.push(headers.toString())
    expect(seen).toEqual(['n: 1', 'n: 2', 'n: 3'])
  })

  test('never come from a body that is cut off anywhere before its end', async () => {
    const whole = written([
      { headers: 'a: 1', content: 'one' },
      { headers: 'a: 2', content: 'two' }
    ])
    const end = whole.lastIndexOf('--') + 1
    for (let length = 0; length < end; length++) {
      await expect(read(whole.subarray(0, length), 5)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  test.each([
    ['a boundary that goes on', '--b\r\na: 1\r\n\r\nx\r\n--bx\r\n'],
    ['headers without an end', `--b\r\n${'a: 1\r\n'.repeat(4_000)}`],
    ['no boundary at all', 'x'.repeat(100_000)]
  ])('do not come from %s', async (_what, body) => {
    await expect(read(Buffer.from(body), 4_096)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('are held in memory a chunk at a time', async () => {
    let given = 0
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('--b\r\na: 1\r\n\r\n')
      for (;;) {
        given += 1
        yield Buffer.alloc(65_536, 'x')
      }
    }
    for await (const { content } of readParts(endless(), 'b')) {
      let seen = 0
      for await (const chunk of content) {
        seen += chunk.length
        expect(given * 65_536 - seen).toBeLessThan(2 * 65_536)
        if (given === 50) break
      }
      break
    }
    expect(given).toBe(50)
  })
})
