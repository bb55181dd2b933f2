import { describe, expect, it } from 'vitest'
import { createDocumentLocks } from '../document-locks.ts'
import { knownAttributes, mergeAttributes } from './merge-attributes.ts'
import { ProgressWriter } from './progress-writer.ts'

describe('locks of documents', () => {
  it('let one piece of work a document go on at a time, in order, also behind one that failed', async () => {
    const locks = createDocumentLocks()
    const said: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        said.push(`${name} begins`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        said.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      }
    const all = await Promise.allSettled([
      locks.hold('a', work('one', true)),
      locks.hold('a', work('two')),
      locks.hold('b', work('other')),
      locks.hold('a', work('three'))
    ])
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    const ofA = said.filter((line) => !line.startsWith('other'))
    expect(ofA).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
    expect(said.indexOf('other ends')).toBeLessThan(said.indexOf('two ends'))
  })
})

describe('attributes', () => {
  const own = { knowledgeType: 'runbook', project: 'own', errorCodes: ['E_OWN'] }

  it('of the form win field by field, and the rest is the document’s own', () => {
    const form = { detectErrorCodes: false, project: 'given' }
    expect(mergeAttributes(form, own, 'E_TEXT')).toEqual({
      knowledgeType: 'runbook',
      project: 'given',
      equipment: null,
      errorCodes: ['E_OWN']
    })
  })

  it('take codes of the text beside those that were given, once each, up to 64', () => {
    const form = { detectErrorCodes: true, errorCodes: ['E_GIVEN'] }
    const text = `E_GIVEN ${Array.from({ length: 100 }, (_, at) => `E_T${at}`).join(' ')}`
    const { errorCodes } = mergeAttributes(form, own, text)
    expect(errorCodes.slice(0, 2)).toEqual(['E_GIVEN', 'E_T0'])
    expect(errorCodes).toHaveLength(64)
    expect(mergeAttributes({ ...form, errorCodes: [] }, own, '').errorCodes).toEqual([])
  })

  it('that are not known are absent where they are published', () => {
    const merged = mergeAttributes({ detectErrorCodes: false }, { errorCodes: [] }, '')
    expect(knownAttributes(merged)).toEqual({ errorCodes: [] })
  })
})

describe('progress', () => {
  it('is written at most every half second, one write at a time, and whole at the end', async () => {
    let now = 0
    const written: number[] = []
    const gates: (() => void)[] = []
    const write = (embedded: number) => {
      written.push(embedded)
      return new Promise<void>((resolve) => gates.push(resolve))
    }
    const progress = new ProgressWriter(write, () => now)
    for (const at of [100, 499, 500, 600, 1_100]) {
      now = at
      progress.advance(10)
    }
    // The write of 500 is still going on at 1,100.
    expect(written).toEqual([30])
    const finished = progress.finish()
    gates[0]!()
    await new Promise(setImmediate)
    gates[1]!()
    await finished
    expect(written).toEqual([30, 50])
  })

  it('that can not be written ends the work when it is finished', async () => {
    let now = 0
    const progress = new ProgressWriter(
      () => Promise.reject(new Error('disk full')),
      () => now
    )
    now = 1_000
    progress.advance(1)
    await expect(progress.finish()).rejects.toThrow('disk full')
  })
})
