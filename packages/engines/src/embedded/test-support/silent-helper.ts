import { workerData } from 'node:worker_threads'
import type { ScanHelperSettings } from '../threads/scan-helper.ts'
import { SHARE_READY } from '../vectors/scan-share.ts'

// A helper that says it is there, takes work and never comes to an end.
const { cells } = (workerData as ScanHelperSettings).share
Atomics.store(cells, SHARE_READY, 1)
Atomics.wait(cells, SHARE_READY, 1)
