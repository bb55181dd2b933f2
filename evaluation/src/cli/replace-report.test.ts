import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { handwrittenMark, handwrittenPart } from '../markdown/handwritten.ts'
import { temporaryFolder } from '../test-material/temporary-folder.ts'
import { replaceReport } from './replace-report.ts'

const folder = temporaryFolder()

describe('replacing a report', () => {
  it('gives the maker what was there, and nothing for a new file', async () => {
    const file = join(folder.path, 'report.md')
    await replaceReport(file, (previous) => `[${previous}]`)
    await replaceReport(file, (previous) => `[${previous}]`)
    expect(await readFile(file, 'utf8')).toBe('[[]]')
  })

  it('does not take an unreadable place for a new file', async () => {
    await expect(replaceReport(folder.path, () => 'x')).rejects.toThrow(/EISDIR/)
    await expect(replaceReport(join(folder.path, 'no', 'such', 'folder.md'), () => 'x')).rejects.toThrow(/ENOENT/)
  })

  it('leaves the file as it was when the report cannot be made', async () => {
    const file = join(folder.path, 'kept.md')
    await writeFile(file, 'kept')
    const failing = replaceReport(file, () => {
      throw new Error('no results')
    })
    await expect(failing).rejects.toThrow('no results')
    expect(await readFile(file, 'utf8')).toBe('kept')
  })
})

describe('the part written by hand', () => {
  it('is everything from the mark on, the mark included', () => {
    expect(handwrittenPart(`# made\n\n${handwrittenMark}\n\nmine\n\n`)).toBe(`${handwrittenMark}\n\nmine`)
    expect(handwrittenPart('# made\n')).toBe('')
  })
})
