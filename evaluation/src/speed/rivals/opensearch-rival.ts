import { join } from 'node:path'
import { openSearchEngineIndex } from '@oncall-agent/engines/opensearch'
import {
  type EmbedderFingerprint,
  PortError,
  type StructuredEntry,
  type StructuredIndex
} from '@oncall-agent/retrieval'
import { missingTool } from '../../../../scripts/services/opensearch/required-tools.ts'
import { startOpenSearch } from '../../../../scripts/services/opensearch/start-opensearch.ts'
import type { StructuredCorpus } from '../corpus/structured-corpus.ts'

/** A search engine of one node on this machine, or why there is none. */
export type OpenSearchRival = Rival | { readonly missing: string }

interface Rival {
  readonly index: StructuredIndex
  /** Ends the node; what it holds stays for the next run. */
  close(): Promise<void>
}

/** Milliseconds for one request: bulks of vectors meet a cold node. */
const timeoutMs = 120_000

/** A heap that all documents fit in, and the compilers as they are by themselves: it is to be as fast as it can. */
const javaOptions = ['-Xms1g', '-Xmx1g']

/** Starts a node over its kept data, and fills it first where there is none; a fill that was interrupted begins again. */
export async function startOpenSearchRival(
  cacheDirectory: string,
  corpus: StructuredCorpus,
  fingerprint: EmbedderFingerprint
): Promise<OpenSearchRival> {
  const missing = await missingTool()
  if (missing !== undefined) return { missing: `OpenSearch ${missing}` }
  const folder = join(cacheDirectory, 'bench', `opensearch-${corpus.key}`)
  const node = await startOpenSearch({ folder, javaOptions })
  const index = openSearchEngineIndex({ engine: 'opensearch', url: node.url, fingerprint, replicas: 0, timeoutMs })
  const close = async (): Promise<void> => {
    await index.close()
    await node.stop()
  }
  try {
    // A rebuild shows all of its documents or none.
    if ((await heldDocuments(index, corpus)) !== corpus.documents) await index.rebuild(entriesOf(corpus))
    return { index, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function heldDocuments(index: StructuredIndex, { pairs }: StructuredCorpus): Promise<number> {
  const everything = { pairs, filters: {}, clauses: [], mode: 'all', titleBoost: 1, from: 0, size: 1 } as const
  try {
    return (await index.match(everything)).total
  } catch (error) {
    // That is what an engine without our indices answers.
    if (error instanceof PortError && error.failure === 'unavailable') return 0
    throw error
  }
}

async function* entriesOf(corpus: StructuredCorpus): AsyncGenerator<StructuredEntry> {
  for (let number = 0; number < corpus.documents; number++) yield corpus.entry(number)
}
