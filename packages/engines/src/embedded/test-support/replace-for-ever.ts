// Run as a process: replaces the marked document again and again, from a version on, and says each version that is done.
// Without arguments it ends at once, having filled the compile cache for the processes that will be killed.
import { writeSync } from 'node:fs'
import { openWriter } from '../writing/index-writer.ts'
import { markedDocument } from './marked-document.ts'
import { markedEntry } from './marked-entry.ts'
import { testFingerprint } from './temporary-index.ts'

const STANDARD_OUTPUT = 1

const [directory, first] = process.argv.slice(2)
if (directory === undefined) process.exit()
const writer = openWriter({ directory, fingerprint: testFingerprint, busyTimeoutMs: 5_000 })
for (let version = Number(first); ; version++) {
  const { document, chunks } = markedDocument(version)
  writer.replace(document, chunks, markedEntry(version))
  // Synchronous, so that a version that was committed has also been said when the process is killed right after.
  writeSync(STANDARD_OUTPUT, `${version}\n`)
  writer.compactStep('idle')
}
