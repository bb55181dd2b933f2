import { workerData } from 'node:worker_threads'
import { TopCandidates } from '../reading/top-candidates.ts'
import { ExtentScan } from '../vectors/extent-scan.ts'
import { serveScans } from '../vectors/scan-share.ts'
import type { SharedCandidate } from '../vectors/scan-share.ts'
import { helperScratch } from '../vectors/vector-memory.ts'
import type { ScanHelperSettings } from './scan-helper.ts'

const { reader, vectors, share } = workerData as ScanHelperSettings
const extentScan = new ExtentScan(vectors, helperScratch(vectors.dimension, reader))

serveScans(share, ({ limit, query, take }) => {
  const top = new TopCandidates<SharedCandidate>(limit)
  for (let taken = take(); taken !== undefined; taken = take()) {
    const { place, extent } = taken
    extentScan.scan(extent, query, top, (row, score) => ({ place, row, score }))
  }
  return top.remaining().map(({ item }) => item)
})
