import { describe, expect, it } from 'vitest'
import { type PlacedChunk, textOfChunks } from './text-of-chunks.ts'

/** A chunk where its content stands in the text. */
const at = (text: string, content: string, ...headingPath: string[]): PlacedChunk => {
  const start = text.indexOf(content)
  return { headingPath, content, start, end: start + content.length }
}

/** One chunk under two headings, behind so many characters of something else. */
const place = (room: number) =>
  textOfChunks([{ headingPath: ['Over', 'Under'], content: 'x', start: room, end: room + 1 }])

describe('the text of a document that is put together from its chunks', () => {
  const runbook =
    '# Queue\n\nFills up.\n\n## Steps\n\n- drain it\n\n## Do not\n\n- purge it\n- restart both\n\n# After\n\nWrite it down.\n'

  it('has the headings where they stood, and every span where citations name it', () => {
    const chunks = [
      at(runbook, 'Fills up.', 'Queue'),
      at(runbook, '- drain it', 'Queue', 'Steps'),
      at(runbook, '- purge it\n- restart both', 'Queue', 'Do not'),
      at(runbook, 'Write it down.', 'After')
    ]
    const text = textOfChunks(chunks)
    expect(text).toBe(runbook.trimEnd())
    for (const { content, start, end } of chunks) expect(text.slice(start, end)).toBe(content)
  })

  it('repeats nothing where chunks overlap, and no heading within a section', () => {
    const text = '# A\n\none two three four'
    const chunks = [at(text, 'one two three', 'A'), at(text, 'three four', 'A')]
    expect(textOfChunks(chunks)).toBe(text)
  })

  it('has a heading without marks where they do not fit, the nearest where all do not, and else line breaks', () => {
    expect(place(18)).toBe('# Over\n\n## Under\n\nx')
    expect(place(12)).toBe('Over\n\nUnder\nx')
    expect(place(8)).toBe('\nUnder\n\nx')
    expect(place(3)).toBe('\n\n\nx')
  })
})
