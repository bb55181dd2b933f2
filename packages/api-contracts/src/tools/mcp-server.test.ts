import { describe, expect, test } from 'vitest'
import { mcpServerChangeSchema, newMcpServerSchema } from './mcp-server.ts'

const connection = { transport: 'http', url: 'https://tools.example.com/mcp' }
const takenNew = (secrets: unknown) => newMcpServerSchema.safeParse({ name: 'a', connection, secrets }).success
const takenChange = (secrets: unknown) => mcpServerChangeSchema.safeParse({ secrets }).success

describe('secrets of a tool server', () => {
  test.each([
    ['a name with a space', { 'X Token': 'v' }],
    ['a name with a colon, which would be another header', { 'X: a': 'v' }],
    ['a name with the end of a line', { 'X\r\nY': 'v' }],
    ['no name', { '': 'v' }],
    ['a value of two lines, which would be two headers', { X: 'v\r\nY: w' }],
    ['a value with a zero byte, which no environment has', { X: 'v\0' }],
    ['a value that is too long', { X: 'v'.repeat(4_097) }],
    ['too many', Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`X${at}`, 'v']))]
  ])('are refused with %s, when they are new and when they are changed', (_what, secrets) => {
    expect([takenNew(secrets), takenChange(secrets)]).toEqual([false, false])
  })

  test('are set or taken away by a change, and only set when they are new', () => {
    expect([takenNew({ X: 'v' }), takenChange({ X: 'v', Y: null })]).toEqual([true, true])
    expect(takenNew({ X: null })).toBe(false)
  })
})
