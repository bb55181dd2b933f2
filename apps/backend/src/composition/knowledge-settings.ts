import type { Settings } from '../config/index.ts'
import type { KnowledgeSettings } from '../knowledge/index.ts'

/** The settings of the knowledge room, in its own words: the configuration knows no room, and the room no configuration. */
export function knowledgeSettings({ documents, chunking, search }: Settings): KnowledgeSettings {
  return {
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
    chunking,
    entries: { knowledgeTypes: search.knowledgeTypes, defaultType: search.defaultType }
  }
}
