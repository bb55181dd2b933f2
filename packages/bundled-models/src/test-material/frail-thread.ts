import { workerData } from 'node:worker_threads'
import { PortError } from '@oncall-agent/retrieval'
import { serveLane } from '../threads/serve-lane.ts'

/** How the thread of `worker-lane.test.ts` is to behave while it loads. */
export type LoadBehaviour = 'load' | 'refuse' | 'crash'

/** 'die' ends the thread, 'throw' and 'refuse' fail the question, anything else is answered in capitals. */
async function answer(question: string): Promise<string> {
  if (question === 'die') process.exit(3)
  if (question === 'throw') throw new TypeError('not a number')
  if (question === 'refuse') {
    throw new PortError('disk-full', {
      operation: 'write',
      subject: 'a (b): c',
      reason: 'no: space (left)',
      hint: 'Free some.'
    })
  }
  return question.toUpperCase()
}

const behaviour = workerData as LoadBehaviour
if (behaviour === 'crash') throw new Error('out of memory')

await serveLane<string, string>(() => {
  if (behaviour === 'refuse') {
    return Promise.reject(new PortError('corrupt', { operation: 'load', subject: 'file', reason: 'is cut off' }))
  }
  return Promise.resolve({ answer, transferables: () => [], release: () => Promise.resolve() })
})
