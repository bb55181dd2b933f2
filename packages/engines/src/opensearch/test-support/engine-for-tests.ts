import type { EmbedderFingerprint, StructuredEntry, StructuredIndex } from '@oncall-agent/retrieval'
import { isSkipped, missingTool } from '../../../../../scripts/services/opensearch/required-tools.ts'
import { startOpenSearch } from '../../../../../scripts/services/opensearch/start-opensearch.ts'
import type { RunningNode, RunningOpenSearch } from '../../../../../scripts/services/opensearch/start-opensearch.ts'
import { openSearchEngineIndex } from '../index.ts'
import type { SearchEngineOptions } from '../index.ts'

export const fingerprint: EmbedderFingerprint = {
  model: 'test',
  dimension: 32,
  normalised: true,
  tokenizerVersion: 'test'
}

/** Milliseconds for the first start on a machine, which also builds; the nodes alone take some ten thousand. */
export const START_TIMEOUT_MS = 300_000

/** A real OpenSearch for one test file, and what tests do with it. */
export interface EngineForTests {
  /** Its tests are to be skipped: a tool is missing, and this is not CI, where they fail instead. */
  readonly isMissing: boolean
  /** For the name of the suite: why it is skipped. */
  readonly note: string
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly url: () => string
  readonly nodes: () => readonly RunningNode[]
  readonly open: (options?: Partial<SearchEngineOptions>) => StructuredIndex
  readonly emptyIndex: (options?: Partial<SearchEngineOptions>) => Promise<StructuredIndex>
  readonly startAgain: (name: string) => Promise<void>
  /** Asks the engine past everything of ours, at the first node unless another is named; the body of its answer. */
  readonly ask: (method: string, path: string, body?: object, node?: string) => Promise<unknown>
}

export async function engineForTests(nodes: 1 | 2 | 3 = 1): Promise<EngineForTests> {
  const missing = await missingTool()
  if (missing !== undefined) console.warn(`OpenSearch ${missing}: its tests do not run`)
  let running: RunningOpenSearch | undefined
  const restarted = new Map<string, RunningNode>()
  const started = (): RunningOpenSearch => {
    if (running === undefined) throw new Error('the engine of this test file was not started')
    return running
  }
  const open = (options: Partial<SearchEngineOptions> = {}): StructuredIndex =>
    openSearchEngineIndex({ engine: 'opensearch', url: started().url, fingerprint, replicas: 0, ...options })
  return {
    isMissing: isSkipped(missing),
    note: missing === undefined ? '' : `(skipped: OpenSearch ${missing})`,
    start: async () => {
      running = await startOpenSearch({ nodes })
    },
    stop: async () => running?.stop(),
    url: () => started().url,
    nodes: () => started().nodes.map((node) => restarted.get(node.name) ?? node),
    startAgain: async (name) => {
      restarted.set(name, await started().startAgain(name))
    },
    open,
    emptyIndex: async (options) => {
      const index = open(options)
      await index.rebuild(streamOf([]))
      return index
    },
    ask: async (method, path, body, node = started().nodes[0]!.url) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${node}${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return answer.json()
    }
  }
}

export async function* streamOf(entries: readonly StructuredEntry[]): AsyncGenerator<StructuredEntry> {
  yield* entries
}
