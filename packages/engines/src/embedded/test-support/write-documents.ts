// Run as a process: opens the index of a folder and writes some documents of its own. Arguments: folder, name, documents.
import { chunksOf, documentOf, Random, unitVector } from '@oncall-agent/retrieval/conformance'
import { openEmbeddedIndex } from '../index.ts'
import { MARKED } from './marked-document.ts'
import { TEST_DIMENSION, testFingerprint } from './temporary-index.ts'

const [directory, name, documents] = process.argv.slice(2)
const index = await openEmbeddedIndex({ directory: directory!, fingerprint: testFingerprint })
for (let number = 0; number < Number(documents); number++) {
  const vector = unitVector(TEST_DIMENSION, new Random(number))
  const chunks = chunksOf([{ content: `shared ${name} ${number}`, vector }])
  await index.writer.replaceDocument(documentOf(MARKED, `${name}-${number}`), chunks)
}
await index.close()
