import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { renderTable } from './table.ts'
import { cutColumns, padColumns } from './terminal.ts'

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
