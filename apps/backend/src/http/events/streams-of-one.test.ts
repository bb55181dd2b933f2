import { describe, expect, it } from 'vitest'
import { StreamsOfOne } from './streams-of-one.ts'

const fault = (streams: StreamsOfOne, userId: string): unknown => {
  try {
    streams.expectRoom(userId)
    return undefined
  } catch (thrown) {
    return thrown
  }
}

describe('streams that one person follows', () => {
  it('are bounded for each by themselves, and have room again when one is closed', () => {
    const streams = new StreamsOfOne(2)
    streams.changed('ana', 1)
    streams.changed('ana', 1)
    expect(fault(streams, 'ana')).toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 5 } })
    expect(fault(streams, 'bo')).toBeUndefined()
    streams.changed('ana', -1)
    expect(fault(streams, 'ana')).toBeUndefined()
  })
})
