import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { describeStructuredIndex } from '@oncall-agent/retrieval/conformance'
import type { StructuredIndex } from '@oncall-agent/retrieval'
import { openEmbeddedIndex } from './index.ts'

const directories: string[] = []
const fingerprint = { model: 'test', dimension: 24, normalised: true, tokenizerVersion: '1' }

/** The view, whose end is here that of its index. */
async function create(): Promise<StructuredIndex> {
  const directory = mkdtempSync(join(tmpdir(), 'oncall-index-'))
  directories.push(directory)
  const index = await openEmbeddedIndex({ directory, fingerprint, readers: 1 })
  const { structured } = index
  const closeView = structured.close.bind(structured)
  structured.close = async () => {
    await closeView()
    await index.close()
  }
  return structured
}

describe('structured search of the embedded index', () => {
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })
  describeStructuredIndex({ describe, it, expect }, create)
})
