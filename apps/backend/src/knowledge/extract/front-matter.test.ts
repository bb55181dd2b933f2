import { describe, expect, it } from 'vitest'
import { splitFrontMatter } from './front-matter.ts'

describe('front matter', () => {
  it('is removed and gives title, attributes and scalar metadata', () => {
    const front = splitFrontMatter(
      '---\ntitle: "Disk full"\ntags: [disk, E-9001]\nowner: sre\nweight: 20\ndraft: false\nknowledge_type: alarm\n' +
        'project: payments\nequipment: db01\nerror_codes: [E-9001, 12516, E-9001]\n---\n\nText.\n'
    )
    expect(front.body).toBe('\nText.\n')
    expect(front.title).toBe('Disk full')
    expect(front.attributes).toEqual({
      knowledgeType: 'alarm',
      project: 'payments',
      equipment: 'db01',
      errorCodes: ['E-9001', '12516']
    })
    expect(front.metadata).toMatchObject({ owner: 'sre', weight: 20, draft: false })
    expect(front.metadata).not.toHaveProperty('tags')
    expect(front.warnings).toEqual([])
  })

  it('that is not valid YAML is removed with a warning, and the text stays', () => {
    const front = splitFrontMatter('---\ntitle: Disk: full\nx: }\n---\nText.\n')
    expect(front.body).toBe('Text.\n')
    expect(front.title).toBe('Disk: full')
    expect(front.warnings).toHaveLength(1)
    expect(front.warnings[0]).toMatch(/^its front matter is not valid YAML: /)
  })

  it('is not seen where two rules stand around prose', () => {
    const text = '---\nJust a sentence between rules.\n---\nText.\n'
    expect(splitFrontMatter(text).body).toBe(text)
    expect(splitFrontMatter('Text.\n\n---\na: b\n---\n').body).toContain('a: b')
    expect(splitFrontMatter('---\na: b\nnever closed').body).toContain('never closed')
  })

  it('may be empty, end in dots, or be TOML that is left unread', () => {
    expect(splitFrontMatter('---\n---\nText.').body).toBe('Text.')
    expect(splitFrontMatter('---\ntitle: T\n...\nText.')).toMatchObject({ body: 'Text.', title: 'T' })
    const toml = splitFrontMatter('+++\ntitle = "T"\n+++\nText.')
    expect(toml.body).toBe('Text.')
    expect(toml.warnings).toEqual(['its TOML front matter was not read'])
  })

  it('does not let aliases multiply', () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`
    )
    const front = splitFrontMatter(`---\na0: &a0 [x, x]\n${levels.join('\n')}\n---\nText.`)
    expect(front.body).toBe('Text.')
    expect(front.warnings[0]).toMatch(/not valid YAML/)
  })
})
