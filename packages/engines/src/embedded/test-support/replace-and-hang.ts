// Run as a process: replaces the index of a folder by another one, again and again, until it is killed. Each round makes
// a new index that holds the next version of the marked document, and says so when it is in place.
// Arguments: folder, folder of the new ones, first version.
import { rmSync } from 'node:fs'
import { beginReplacement, createNextGeneration, openEmbeddedIndex } from '../index.ts'
import { markedDocument } from './marked-document.ts'
import { markedEntry } from './marked-entry.ts'
import { testFingerprint } from './temporary-index.ts'

const [directory, next, first] = process.argv.slice(2) as [string, string, string]
for (let version = Number(first); ; version++) {
  rmSync(next, { recursive: true, force: true })
  createNextGeneration({ directory, next, fingerprint: testFingerprint })
  const made = await openEmbeddedIndex({ directory: next, fingerprint: testFingerprint })
  const { document, chunks } = markedDocument(version)
  await made.writer.replaceDocument(document, chunks, markedEntry(version))
  await made.close()
  process.stdout.write(`${version - 1}\n`)
  beginReplacement(directory, next).commit()
}
