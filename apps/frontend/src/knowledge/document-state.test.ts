import { describe, expect, test } from 'vitest'
import { bases, sampleDocument } from '../../dev/samples.ts'
import { newTask } from '../../dev/sample-tasks.ts'
import { isActive, isWritable, newestByDocument, shareOf, shownState } from './document-state.ts'

const document = sampleDocument('kb-own', 0)
const task = newTask('t1', document, null)

describe('what can be changed', () => {
  test('is only what one owns and uploaded', () => {
    expect(bases.map(isWritable)).toEqual([true, false, false, true])
  })
})

describe('the state of a document', () => {
  test.each([
    [{}, 'indexed'],
    [{ indexedVersion: null, indexStatus: 'pending' }, 'pending'],
    [{ version: 2, indexStatus: 'pending' }, 'outdated'],
    [{ version: 2, indexStatus: 'indexing' }, 'indexing'],
    [{ version: 2, indexStatus: 'failed' }, 'failed']
  ] as const)('with %j is %s', (change, state) => {
    expect(shownState({ ...document, ...change })).toBe(state)
  })
})

describe('tasks', () => {
  test('are active until their final state', () => {
    const states = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const
    expect(states.filter((status) => isActive({ ...task, status }))).toEqual(['pending', 'running'])
  })

  test('the newest of a document is the first in the list', () => {
    const older = { ...task, id: 't0' }
    expect(newestByDocument([task, older]).get(document.id)?.id).toBe('t1')
  })

  test('the share is not known before the number of chunks is, and never divides by none', () => {
    const shares = [null, 0, 40].map((chunksTotal) =>
      shareOf({ ...task, progress: { chunksEmbedded: 10, chunksTotal } })
    )
    expect(shares).toEqual([null, null, 0.25])
  })
})
