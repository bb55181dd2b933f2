import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvents, type StreamEvent } from './read-events.ts'

function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const left = [...parts]
  return new ReadableStream({
    pull: (controller) => {
      const part = left.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    }
  })
}

async function eventsOf(text: string, cut: number = text.length): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(text)
  const size = Math.max(1, cut)
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size)
  )
  const events: StreamEvent[] = []
  for await (const event of readEvents(streamOf(parts))) events.push(event)
  return events
}

describe('events of a stream', () => {
  it('have a type, an id and data of several lines; comments and retry times are skipped', async () => {
    const text = ': hello\nretry: 10\n\nid: 7\nevent: message.delta\ndata: {"a":\ndata:  1}\n\ndata\n\n'
    expect(await eventsOf(text)).toEqual([
      { id: '7', type: 'message.delta', data: '{"a":\n 1}' },
      { id: '7', type: 'message', data: '' }
    ])
  })

  it.each(['\n', '\r\n', '\r'])('are the same whatever ends their lines: %j', async (end) => {
    const text = ['id: 1', 'data: 磁盘满了', '', 'data: x: y', '', ''].join(end)
    const expected = [
      { id: '1', type: 'message', data: '磁盘满了' },
      { id: '1', type: 'message', data: 'x: y' }
    ]
    for (let cut = 1; cut <= text.length; cut++) expect(await eventsOf(`${text}: end\n`, cut)).toEqual(expected)
  })

  it('that were cut off by the end of the stream are none', async () => {
    expect(await eventsOf('data: whole\n\ndata: half\n')).toEqual([{ id: '', type: 'message', data: 'whole' }])
  })

  it('are what was written, wherever the network cuts', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ' '))
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1 }), fc.integer({ min: 1, max: 9 }), async (lines, cut) => {
        const text = lines.map((data) => `data: ${data}\n\n`).join('')
        expect((await eventsOf(text, cut)).map(({ data }) => data)).toEqual(lines)
      })
    )
  })

  it('let the connection go when nobody listens any more', async () => {
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: again\n\n')),
      cancel: () => {
        cancelled = true
      }
    })
    for await (const { data } of readEvents(endless)) {
      expect(data).toBe('again')
      break
    }
    expect(cancelled).toBe(true)
  })
})
