import { PortError } from '@oncall-agent/retrieval'
import type { ListedEntry, StructuredCapabilities, StructuredIndex } from '@oncall-agent/retrieval'
import type { StructuredFacets, StructuredRecall } from '@oncall-agent/retrieval'

/** Pages of hits are sorted in memory; the contract asks for no more. */
const MAX_WINDOW = 10_000

export interface EmbeddedStructuredParts {
  readonly dimension: number
  readonly knowledgeTypes: readonly string[]
}

/** Structured search as the main thread has it. */
export class EmbeddedStructuredIndex implements StructuredIndex {
  readonly engine = 'embedded'
  readonly capabilities: StructuredCapabilities

  constructor({ dimension, knowledgeTypes }: EmbeddedStructuredParts) {
    this.capabilities = {
      knowledgeTypes,
      dimension,
      exactNearest: true,
      statistics: 'scope',
      atomicReplacement: true,
      maxWindow: MAX_WINDOW
    }
  }

  async match(): Promise<StructuredRecall> {
    throw notFilled('match documents')
  }

  async facets(): Promise<StructuredFacets> {
    throw notFilled('count facets')
  }

  async nearest(): Promise<StructuredRecall> {
    throw notFilled('find nearest')
  }

  async replaceDocument(): Promise<void> {
    throw notFilled('replace entry')
  }

  async deleteDocument(): Promise<boolean> {
    throw notFilled('delete entry')
  }

  async listDocuments(): Promise<readonly ListedEntry[]> {
    throw notFilled('list entries')
  }

  async rebuild(): Promise<void> {
    throw notFilled('rebuild entries')
  }

  async close(): Promise<void> {
    // Nothing is open yet.
  }
}

export function notFilled(operation: string): PortError {
  return new PortError('unavailable', {
    operation,
    subject: 'knowledge index',
    reason: 'the index was made by a release without structured search, and its entries are not filled in',
    hint: 'Run `oncall reindex`.'
  })
}
