import { describe, expect, it } from 'vitest'
import { nameSchema } from './ids.ts'

describe('a name that people give', () => {
  it('is taken without the spaces around it', () => {
    expect(nameSchema.parse(' 运行手册 ')).toBe('运行手册')
  })

  it('is the same however its accents were typed', () => {
    expect(nameSchema.parse('e\u0301quipe')).toBe('\u00E9quipe')
    expect(nameSchema.parse('e\u0301'.repeat(100))).toHaveLength(100)
  })

  it.each(['', '  ', 'x'.repeat(101), 'a\nb', 'a\u001B[31m', 'a\u202Eb', 'half \uD83D'])('%j is refused', (name) => {
    expect(nameSchema.safeParse(name).success).toBe(false)
  })
})
