import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { arrivingBody, dropRest } from './arriving-body.ts'

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a body that arrives', () => {
  test('is all of it, however slowly it comes', async () => {
    const body = new PassThrough()
    const text = textOf(arrivingBody(body, 60))
    for (const word of ['one ', 'two ', 'three']) {
      await new Promise((done) => setTimeout(done, 30))
      body.write(word)
    }
    body.end()
    expect(await text).toBe('one two three')
  })

  test('is given up when it stops coming', async () => {
    const body = new PassThrough()
    body.write('one')
    await expect(textOf(arrivingBody(body, 20))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      cause: { message: 'no byte of the body in 20 ms' }
    })
    expect(body.destroyed).toBe(true)
  })

  test('is not given up while its reader takes its time', async () => {
    const body = new PassThrough()
    body.write('one')
    const source = arrivingBody(body, 20)
    await source.next()
    await new Promise((done) => setTimeout(done, 60))
    body.end('two')
    expect(String((await source.next()).value)).toBe('two')
    expect((await source.next()).done).toBe(true)
  })

  test('may be left in the middle, and the rest goes by', async () => {
    const body = new PassThrough({ highWaterMark: 4 })
    body.write('one')
    const source = arrivingBody(body)
    await source.next()
    await source.return(undefined)
    dropRest(body)
    const ended = new Promise((done) => body.once('end', done))
    body.write('x'.repeat(100))
    body.end()
    await ended
    expect(body.destroyed || body.readableEnded).toBe(true)
  })
})
