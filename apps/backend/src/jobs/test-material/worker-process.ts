import { appendFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../observability/index.ts'
import { openBusinessStore } from '../../store/index.ts'
import { createJobWorker } from '../index.ts'
import { enterEnding } from './ledger.ts'

// A worker in a process of its own, which tests kill and stall.
// Usage: node worker-process.ts DIRECTORY LEASE_MS
const [directory = '', leaseMs = ''] = process.argv.slice(2)
const store = openBusinessStore(directory)
const worker = createJobWorker({
  store,
  handlers: [
    {
      kind: 'test',
      run: async ({ subject, payload }) => {
        appendFileSync(join(directory, 'runs.txt'), `${subject}\n`)
        if (payload.kills === true) process.kill(process.pid, 'SIGKILL')
        await delay(Number(payload.sleepMs ?? 0))
      },
      settle: enterEnding
    }
  ],
  workers: 2,
  leaseMs: Number(leaseMs),
  keepDays: 90,
  backOff: { firstMs: 20, factor: 2, limitMs: 100 },
  logger: createLogger({ level: 'silent' }),
  onEvent: ({ name, job }) => process.stdout.write(`${name} ${job.subject}\n`)
})
// Who is killed would never write it.
flushCompileCache()
worker.start()
process.stdout.write('ready\n')
