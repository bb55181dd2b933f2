import { ApiError, type Message, type MessageEvent, type ReceivedEvent } from '@oncall-agent/api-contracts'
import { describe, expect, test } from 'vitest'
import { question } from '../../dev/sample-chat.ts'
import { beginningOf } from './answer-events.ts'
import { followAnswer, type Following } from './follow-answer.ts'

const asked = question('q1', 'c1', 0, 'why?')
const begun = beginningOf('c1', 'm1', asked)
const whole: Message = { ...begun, status: 'completed', content: 'abc' }
const all: readonly MessageEvent[] = [
  { type: 'message.started', conversationId: 'c1', messageId: 'm1', question: asked },
  { type: 'message.delta', messageId: 'm1', offset: 0, text: 'a' },
  { type: 'message.delta', messageId: 'm1', offset: 1, text: 'b' },
  { type: 'message.delta', messageId: 'm1', offset: 2, text: 'c' },
  { type: 'message.completed', message: whole }
]
const refused = (code: 'SYSTEM_UNAVAILABLE' | 'NOT_FOUND' | 'AUTH_REQUIRED'): ApiError =>
  new ApiError(0, { error: { code, message: '', requestId: '' } })

/** Events `from`..`to`, then an end without a word, or an error. */
async function* stream(from: number, to: number, end?: Error): AsyncGenerator<ReceivedEvent<MessageEvent>> {
  for (const [index, event] of all.entries()) if (index >= from && index < to) yield { id: String(index + 1), event }
  if (end !== undefined) throw end
}

type Answer = AsyncGenerator<ReceivedEvent<MessageEvent>> | Error

const give = <Value>(value: Value | Error | undefined): Promise<Value> =>
  value instanceof Error || value === undefined
    ? Promise.reject(value ?? refused('SYSTEM_UNAVAILABLE'))
    : Promise.resolve(value)

/** A server whose streams and stored messages are given one after the other. */
function served(streams: readonly Answer[], stored: readonly (Message | Error)[] = []) {
  const seen: string[] = []
  const contents: string[] = []
  const connected: boolean[] = []
  const left = { streams: [...streams], stored: [...stored] }
  const abort = new AbortController()
  const following = {
    api: {
      messageEvents: ({ lastEventId = 'start' }: { lastEventId?: string }) => {
        seen.push(`events from ${lastEventId}`)
        return give(left.streams.shift())
      },
      message: () => {
        seen.push('look')
        return give(left.stored.shift())
      }
    } as unknown as Following['api'],
    conversationId: 'c1',
    signal: abort.signal,
    onQuestion: ({ content }: Message) => void seen.push(`asked ${content}`),
    onAnswer: ({ content }: Message) => void contents.push(content),
    onConnected: (is: boolean) => void (connected.at(-1) === is || connected.push(is)),
    wait: (ms: number) => {
      seen.push(`wait ${ms}`)
      return Promise.resolve()
    }
  } satisfies Following
  return { following, seen, contents, connected, abort }
}

describe('an answer is read to its end', () => {
  test('in one stream', async () => {
    const { following, seen, contents } = served([])
    expect(await followAnswer(following, stream(0, 9))).toEqual(whole)
    expect([seen, contents]).toEqual([['asked why?'], ['', 'a', 'ab', 'abc', 'abc']])
  })

  test.each([
    ['ends without a word', undefined],
    ['breaks', refused('SYSTEM_UNAVAILABLE')]
  ])('a stream that %s goes on behind the last event', async (_how, end) => {
    const { following, seen, contents, connected } = served([stream(3, 9)])
    expect(await followAnswer(following, stream(0, 3, end))).toEqual(whole)
    expect(seen).toEqual(['asked why?', 'wait 300', 'events from 3'])
    expect(contents).toEqual(['', 'a', 'ab', 'abc', 'abc'])
    expect(connected).toEqual([true, false, true])
  })

  test('waits longer with each try, and then looks at the stored message until it is finished', async () => {
    const gone = refused('SYSTEM_UNAVAILABLE')
    const half: Message = { ...begun, content: 'ab' }
    const { following, seen, contents } = served([gone, gone, gone, gone], [gone, half, whole])
    expect(await followAnswer(following, stream(0, 2))).toEqual(whole)
    expect(seen.filter((each) => each.startsWith('wait'))).toEqual(
      [300, 1_000, 2_000, 4_000, 3_000, 3_000, 3_000].map((ms) => `wait ${ms}`)
    )
    expect(contents).toEqual(['', 'a', 'ab', 'abc'])
  })

  test('a stream that says something may break again and again', async () => {
    const { following, seen } = served([stream(1, 2), stream(2, 3), stream(3, 4), stream(4, 5)])
    expect(await followAnswer(following, stream(0, 1))).toEqual(whole)
    expect(seen.filter((each) => each.startsWith('wait'))).toEqual(Array(4).fill('wait 300'))
  })

  test('a gap is filled from the stored message, and the stream read from its start', async () => {
    const stored: Message = { ...begun, content: 'ab' }
    const { following, seen } = served([stream(0, 9)], [stored])
    expect(await followAnswer(following, gapped())).toEqual(whole)
    expect(seen).toEqual(['asked why?', 'look', 'wait 1000', 'events from start', 'asked why?'])
  })

  test('an answer that another tab asked for is read at once, from its start', async () => {
    const { following, seen } = served([stream(0, 9)])
    expect(await followAnswer(following, begun)).toEqual(whole)
    expect(seen[0]).toBe('events from start')
  })

  test('a server that has no stream of it any more may have the message', async () => {
    const { following, seen } = served([refused('NOT_FOUND')], [whole])
    expect(await followAnswer(following, begun)).toEqual(whole)
    expect(seen).toEqual(['events from start', 'look'])
  })

  test.each(['NOT_FOUND', 'AUTH_REQUIRED'] as const)('ends with the error when it is %s', async (code) => {
    const { following } = served([refused(code)], [refused(code)])
    await expect(followAnswer(following, begun)).rejects.toMatchObject({ code })
  })

  test('is nothing when the stream broke before it said which answer it is', async () => {
    const { following } = served([])
    expect(await followAnswer(following, stream(0, 0, refused('SYSTEM_UNAVAILABLE')))).toBeNull()
  })

  test('ends with the page', async () => {
    const { following, abort } = served([stream(3, 4)])
    const reason = new Error('left')
    const first = (async function* () {
      yield* stream(0, 2)
      abort.abort(reason)
    })()
    await expect(followAnswer(following, first)).rejects.toBe(reason)
  })
})

async function* gapped(): AsyncGenerator<ReceivedEvent<MessageEvent>> {
  yield { id: '1', event: all[0]! }
  yield { id: '3', event: all[2]! }
}
