import { DEFAULT_KNOWLEDGE_TYPES, PortError, type ReadablePair, type StructuredEntry } from '@oncall-agent/retrieval'
import { MemoryStructuredIndex } from '@oncall-agent/retrieval/conformance'

/** A search engine outside, as those who keep it up to date see one; a test lets it fail, or does something meanwhile. */
export class OutsideEngine extends MemoryStructuredIndex {
  /** What every call but `listDocuments` meets. */
  isDown = false
  /** A document that it does not take, for a reason of its own. */
  refuses: string | undefined
  /** Runs once, before the next write. */
  meanwhile: (() => Promise<unknown>) | undefined
  readonly written: string[] = []

  constructor(dimension = 16) {
    super({ dimension, knowledgeTypes: DEFAULT_KNOWLEDGE_TYPES })
  }

  override async replaceDocument(entry: StructuredEntry): Promise<void> {
    await this.#beforeWriting()
    this.#expectTaken(entry.documentId)
    this.written.push(entry.documentId)
    await super.replaceDocument(entry)
  }

  override async deleteDocument(pair: ReadablePair, documentId: string): Promise<boolean> {
    await this.#beforeWriting()
    return super.deleteDocument(pair, documentId)
  }

  override async rebuild(entries: AsyncIterable<StructuredEntry>): Promise<void> {
    await this.#beforeWriting()
    const taken: StructuredEntry[] = []
    for await (const entry of entries) {
      this.#expectTaken(entry.documentId)
      taken.push(entry)
    }
    await super.rebuild(each(taken))
  }

  #expectTaken(documentId: string): void {
    if (documentId !== this.refuses) return
    throw new PortError('invalid-argument', { operation: 'write', subject: documentId, reason: 'it is too odd' })
  }

  async #beforeWriting(): Promise<void> {
    const act = this.meanwhile
    this.meanwhile = undefined
    await act?.()
    if (!this.isDown) return
    const reason = 'connection refused'
    const hint = 'Check that it runs.'
    throw new PortError('unavailable', { operation: 'write', subject: 'http://10.0.0.7:9200', reason, hint })
  }
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

/** What it holds of a pair: document and body. */
export function bodiesIn(engine: MemoryStructuredIndex, { tenantId, knowledgeBaseId }: ReadablePair) {
  const own = engine.all().filter((entry) => entry.tenantId === tenantId && entry.knowledgeBaseId === knowledgeBaseId)
  return Object.fromEntries(own.map(({ documentId, body }) => [documentId, body]))
}
