import { describe, expect, test } from 'vitest'
import { openOnce } from './open-once.ts'

describe('something that is opened once', () => {
  test('is opened by its first use, for all who ask at the same time, and closed if it was', async () => {
    let opened = 0
    const closed: number[] = []
    const once = openOnce(async () => ++opened)
    await once.close(async (value) => void closed.push(value))
    expect([opened, closed]).toEqual([0, []])
    expect(await Promise.all([once.get(), once.get()])).toEqual([1, 1])
    await once.close(async (value) => void closed.push(value))
    expect([opened, closed]).toEqual([1, [1]])
  })

  test('and fails is tried again by the next use', async () => {
    let broken = true
    const once = openOnce(async () => {
      if (broken) throw new Error('no disk')
      return 'there'
    })
    await expect(once.get()).rejects.toThrow('no disk')
    broken = false
    expect(await once.get()).toBe('there')
  })
})
