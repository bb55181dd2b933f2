import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { renderTable } from './table.ts'
import { cutColumns, padColumns, printable } from './terminal.ts'

describe('columns of a terminal', () => {
  it('line up when Chinese and Latin text stand above each other', () => {
    const lines = renderTable(
      [
        { title: 'where', align: 'left' },
        { title: 'score', align: 'right' }
      ],
      [
        ['磁盘空间满', '0.9'],
        ['disk', '12.25']
      ]
    ).split('\n')
    expect(lines.map((line) => stringWidth(line))).toEqual([17, 17, 17])
    expect(lines[2]).toBe('disk        12.25')
  })

  it('cut between graphemes and say that something is missing', () => {
    expect(cutColumns('运行手册', 5)).toBe('运行…')
    expect(cutColumns('👩‍👩‍👧‍👦家', 3)).toBe('👩‍👩‍👧‍👦…')
    expect(cutColumns('short', 5)).toBe('short')
  })

  it('pad by columns, not by characters', () => {
    expect(padColumns('告警', 6)).toBe('告警  ')
    expect(padColumns('7', 3, 'left')).toBe('  7')
  })
})

describe('text of somebody else', () => {
  it('can not move the cursor, set a title or turn text around', () => {
    expect(printable('e\u001B]0;pwn\u0007.md')).toBe('e\\u001b]0;pwn\\u0007.md')
    expect(printable('a\u202Egnp.md')).toBe('a\\u202egnp.md')
  })

  it('stays as it is when it is only text', () => {
    expect(printable('运行手册 › étcd\n\t👩‍👩‍👧‍👦')).toBe('运行手册 › étcd\n\t👩‍👩‍👧‍👦')
  })
})
