import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { needsShared, readShared, sharedIsAbsent } from '../test-material/shared-files.ts'
import { displayName } from './display-name.ts'

describe('the name that people see', () => {
  it.each([
    ['数据库手册.md', '数据库手册.md'],
    ['🔥 runbook 🚒.md', '🔥 runbook 🚒.md'],
    ['cafe\u0301.md', 'caf\u00e9.md'],
    ['../../outside.md', 'outside.md'],
    ['..\\..\\outside.md', 'outside.md'],
    ['/etc/cron.d/evil.md', 'evil.md'],
    ['C:\\x.md', 'x.md'],
    ['x.md\0.pdf', 'x.md.pdf'],
    ['a\nb\u0085.md', 'ab.md'],
    ['\u202Egpj.md', 'gpj.md'],
    ['\u2066a\u2069.md\uFEFF', 'a.md'],
    ['.md', '.md'],
    [' a b.md ', 'a b.md']
  ])('of %j is %j', (given, shown) => {
    expect(displayName(given)).toBe(shown)
  })

  it.each(['', ' ', '.', '..', 'folder/', '\0\n', 'a/..', '\u202E'])('can not be %j', (given) => {
    expect(() => displayName(given)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('is cut between graphemes before its extension where it is longer than a file system takes', () => {
    const family = '👨‍👩‍👧'
    const name = displayName(`${family.repeat(40)}.md`)
    expect(name).toBe(`${family.repeat(14)}.md`)
    expect(Buffer.byteLength(displayName(`a.${'b'.repeat(400)}`))).toBe(255)
  })

  it('is never a path, never too long, and stays what it is when it is given again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        let name
        try {
          name = displayName(given)
        } catch {
          return
        }
        expect(name).not.toMatch(/[/\\\p{Cc}\u202A-\u202E]/u)
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
        expect(name).not.toMatch(/^\.*$/)
        expect(displayName(name)).toBe(name)
      })
    )
  })
})

describe.skipIf(sharedIsAbsent)(`names that were reported${needsShared}`, () => {
  it('are all taken or refused, and none is a path', () => {
    const names = JSON.parse(Buffer.from(readShared('cases/peers/filenames.json')).toString()) as string[]
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(displayName(name)).toMatch(/^[^/\\\p{Cc}\u202E]+$/u)
  })
})
