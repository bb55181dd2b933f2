import { afterEach, describe, expect, it } from 'vitest'
import type { LoadBehaviour } from '../test-material/frail-thread.ts'
import { orAborted } from './or-aborted.ts'
import { WorkerLane } from './worker-lane.ts'

const ENTRY = new URL('../test-material/frail-thread.ts', import.meta.url)

let lane: WorkerLane<string, string>
/** Whether each load of the lane succeeded. */
let loads: boolean[]
function open(behaviour: LoadBehaviour): WorkerLane<string, string> {
  loads = []
  lane = new WorkerLane(ENTRY, behaviour, 'a frail model', (succeeded) => loads.push(succeeded))
  return lane
}
afterEach(() => lane.close())

describe('worker lane', () => {
  it('answers questions in the order they were asked', async () => {
    open('load')
    expect(await Promise.all(['a', 'b', 'c'].map((question) => lane.ask(question)))).toEqual(['A', 'B', 'C'])
    expect(lane.state).toBe('warm')
  })

  it('carries a PortError over the border whole, and goes on', async () => {
    open('load')
    await expect(lane.ask('refuse')).rejects.toMatchObject({
      name: 'PortError',
      failure: 'disk-full',
      message: 'write: no: space (left) (a (b): c)',
      subject: 'a (b): c',
      hint: 'Free some.'
    })
    expect(await lane.ask('a')).toBe('A')
  })

  it('makes any other error a PortError that names the model', async () => {
    open('load')
    await expect(lane.ask('throw')).rejects.toMatchObject({
      failure: 'unavailable',
      subject: 'a frail model',
      message: expect.stringContaining('not a number')
    })
  })

  it('fails everything that waits when its thread dies, and starts another for the next question', async () => {
    open('load')
    const results = await Promise.allSettled(['die', 'a', 'b'].map((question) => lane.ask(question)))
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { failure: 'unavailable' } })
    expect(lane.state).toBe('cold')
    expect(await lane.ask('c')).toBe('C')
    expect(loads).toEqual([true, true])
  })

  it('reports why loading failed, and tries again when asked again', async () => {
    open('refuse')
    await expect(lane.warm()).rejects.toMatchObject({ failure: 'corrupt', subject: 'file' })
    expect(lane.state).toBe('cold')
    await expect(lane.ask('a')).rejects.toMatchObject({ failure: 'corrupt' })
    expect(loads).toEqual([false, false])
  })

  it('keeps the cause when its thread crashes while it loads', async () => {
    open('crash')
    await expect(lane.ask('a')).rejects.toMatchObject({
      failure: 'unavailable',
      message: expect.stringContaining('out of memory'),
      cause: expect.objectContaining({ message: 'out of memory' })
    })
    expect(loads).toEqual([false])
  })

  it('can be closed while it loads, before it was used, and twice', async () => {
    open('load')
    const [warming] = await Promise.allSettled([lane.warm(), lane.close()])
    expect(warming).toMatchObject({ status: 'rejected', reason: { failure: 'closed' } })
    expect(loads).toEqual([])
    await lane.close()
    await open('load').close()
    expect(lane.state).toBe('closed')
    await expect(lane.ask('a')).rejects.toMatchObject({ failure: 'closed' })
  })
})

describe('orAborted', () => {
  it('prefers neither: what comes first wins, and the listener is taken away', async () => {
    open('load')
    const abort = new AbortController()
    expect(await orAborted(Promise.resolve('done'), abort.signal)).toBe('done')
    abort.abort(new Error('late'))
    await expect(orAborted(new Promise(() => {}), abort.signal)).rejects.toThrow('late')
    await expect(orAborted(Promise.reject(new Error('own')), undefined)).rejects.toThrow('own')
  })
})
