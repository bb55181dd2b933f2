import { describe, expect, it } from 'vitest'
import { titleOf } from './title-of.ts'

describe('the title of a question', () => {
  it.each([
    ['etcd 磁盘满了怎么办', 'etcd 磁盘满了怎么办'],
    ['\n\n  first line \nsecond', 'first line'],
    ['\u202E\u0007\n real', 'real'],
    ['👩‍👩‍👧'.repeat(30), '👩‍👩‍👧'.repeat(25)],
    ['é'.repeat(90), 'é'.repeat(80)]
  ])('of %j is %j', (question, title) => {
    expect(titleOf(question)).toBe(title)
    expect(title.length).toBeLessThanOrEqual(200)
  })
})
