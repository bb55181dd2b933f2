import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  documentWriterConformance,
  lexicalIndexConformance,
  vectorIndexConformance
} from '@oncall-agent/retrieval/conformance'
import { openEmbeddedIndex } from './index.ts'

const test = { describe, it, expect }
const directories: string[] = []

/** 32 is the width that the suites write by default. */
const fingerprint = { model: 'test', dimension: 32, normalised: true, tokenizerVersion: '1' }

const entriesLater = Object.fromEntries(
  [
    'shows the entry of the old version or of the new one while both are replaced, never none',
    'leaves no entry of a document that is written without one',
    'deletes the entry with its document',
    'refuses an entry of another document, type or width, and changes neither entry nor chunks',
    'gives one entry back whole, of its own pair alone',
    'gives every entry back whole'
  ].map((name) => [name, 'this file format has no entries'])
)

async function create(): ReturnType<typeof openEmbeddedIndex> {
  const directory = mkdtempSync(join(tmpdir(), 'oncall-index-'))
  directories.push(directory)
  return openEmbeddedIndex({ directory, fingerprint })
}

describe('the embedded index', () => {
  afterAll(() => {
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })
  lexicalIndexConformance(test, create)
  vectorIndexConformance(test, create)
  documentWriterConformance(test, create, { skips: entriesLater })
})
