import { expect, test } from 'vitest'
import { defaultKnowledgeSettings } from './knowledge/index.ts'
import { loadSettings } from './config/index.ts'

// Evaluation and tests index with these defaults: what they measure must be what a fresh clone does.
test('the defaults of the knowledge room are the shipped settings', () => {
  const { documents, chunking } = loadSettings({ env: {} })
  expect(defaultKnowledgeSettings).toEqual({
    documents: {
      maxFileBytes: documents.maxBytes,
      maxCharacters: documents.maxCharacters,
      maxChunks: documents.maxChunks
    },
    extraction: {
      timeLimitMs: documents.extractTimeoutMs,
      heapLimitMiB: documents.extractHeapMb,
      memoryLimitMiB: documents.extractMemoryMb,
      processes: documents.extractProcesses
    },
    chunking
  })
})
