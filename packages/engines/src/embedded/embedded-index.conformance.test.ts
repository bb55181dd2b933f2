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
  documentWriterConformance(test, create)
})
