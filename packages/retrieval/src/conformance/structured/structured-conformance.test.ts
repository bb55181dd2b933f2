import { describe, expect, it } from 'vitest'
import { DEFAULT_KNOWLEDGE_TYPES } from '../../structured/index.ts'
import { describeStructuredIndex, MemoryStructuredIndex } from './index.ts'

describe('the memory index of structured search', () => {
  describeStructuredIndex(
    { describe, it, expect },
    async () => new MemoryStructuredIndex({ dimension: 32, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
  )
})
