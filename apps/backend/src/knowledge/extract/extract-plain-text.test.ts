import { describe, expect, it } from 'vitest'
import { extractPlainText } from './extract-plain-text.ts'

const paragraphs = (text: string) => extractPlainText(text).blocks.map(({ start, end }) => text.slice(start, end))

describe('plain text', () => {
  it('has paragraphs where blank lines separate', () => {
    expect(paragraphs('\n one\ntwo  \n \t\n# three\n\n\n    four')).toEqual(['one\ntwo', '# three', 'four'])
  })

  it('interprets nothing', () => {
    const { blocks } = extractPlainText('# not a heading\n\n- nor a list')
    expect(blocks.map((block) => block.kind)).toEqual(['paragraph', 'paragraph'])
  })

  it('has no block when it is blank', () => {
    expect(paragraphs(' \n\t\n')).toEqual([])
  })

  it('reads two million characters on one line', () => {
    expect(paragraphs('x'.repeat(2_000_000))).toHaveLength(1)
  })
})
