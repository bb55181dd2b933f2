import { access, constants, statfs } from 'node:fs/promises'
import { AppError } from '@oncall-agent/api-contracts'
import { type Embedder, type KnowledgeIndex, PortError, type Reranker } from '@oncall-agent/retrieval'

/** One look at one part. */
export interface Finding {
  readonly name: string
  readonly ok: boolean
  /** One line: what was found. */
  readonly found: string
  /** What to do about it; empty when all is well. */
  readonly hint: string
}

export interface Examined {
  readonly dataDirectory: string
  readonly facts: () => Promise<{ verify(): Promise<readonly string[]> }>
  readonly index: () => Promise<Pick<KnowledgeIndex, 'size' | 'verify'>>
  readonly embedder: Embedder
  readonly reranker: Reranker
}

/** Below this the next large document, or the log of a write, may not fit. */
const LOW_SPACE_BYTES = 512 * 1024 * 1024
const BYTES_IN_MB = 1_000_000
const MODELS_HINT = 'Check the repository out again: the weights are part of it.'
const REINDEX_HINT =
  'Run `oncall reindex`. If it can not read the index, delete index.db, index.db-wal and index.db-shm, then run ' +
  '`oncall reindex` for what was uploaded and `oncall index` for folders.'

/** Looks at every part of a data folder, and with `models` tries the models; a fault in one part never hides another. */
export async function examine(options: { readonly models: boolean }, parts: Examined): Promise<readonly Finding[]> {
  const checks = [
    check('data folder', 'Make the folder writable, or name another one with --data.', () => folderState(parts)),
    check('free space', 'Free some space on this disk.', () => freeSpace(parts)),
    check('facts', 'Restore business.db from a backup.', async () => faultless(await (await parts.facts()).verify())),
    check('index', REINDEX_HINT, () => indexSize(parts)),
    check('index consistency', REINDEX_HINT, async () => faultless(await (await parts.index()).verify()))
  ]
  if (options.models) {
    checks.push(
      check('embedder', MODELS_HINT, () => tryEmbedder(parts)),
      check('reranker', MODELS_HINT, () => tryReranker(parts))
    )
  }
  return Promise.all(checks)
}

async function check(name: string, hint: string, look: () => Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, found: await look(), hint: '' }
  } catch (fault) {
    const own = fault instanceof PortError || fault instanceof AppError ? fault.hint : ''
    return { name, ok: false, found: fault instanceof Error ? fault.message : String(fault), hint: own || hint }
  }
}

async function folderState({ dataDirectory }: Examined): Promise<string> {
  await access(dataDirectory, constants.R_OK | constants.W_OK)
  return dataDirectory
}

async function freeSpace({ dataDirectory }: Examined): Promise<string> {
  const { bavail, bsize } = await statfs(dataDirectory)
  const free = `${Math.round((bavail * bsize) / BYTES_IN_MB)} MB free`
  if (bavail * bsize < LOW_SPACE_BYTES) throw new Error(`only ${free}`)
  return free
}

function faultless(faults: readonly string[]): string {
  if (faults.length > 0) throw new Error(faults.join('; '))
  return 'no fault'
}

async function indexSize(parts: Examined): Promise<string> {
  const { documents, chunks, bytesOnDisk, revision } = await (await parts.index()).size()
  return `${documents} documents, ${chunks} chunks, ${Math.ceil(bytesOnDisk / BYTES_IN_MB)} MB, ${revision} writes`
}

async function tryEmbedder({ embedder }: Examined): Promise<string> {
  const { model, dimension } = embedder.fingerprint
  const started = performance.now()
  await embedder.warm()
  const loaded = performance.now()
  const { vector } = await embedder.embedQuery('磁盘空间满 disk pressure')
  if (vector.length !== dimension) throw new Error(`${model} gave ${vector.length} numbers, not ${dimension}`)
  const took = Math.round(performance.now() - loaded)
  return `${model}: loaded in ${Math.round(loaded - started)} ms, a query in ${took} ms, ${dimension} wide`
}

/** Lets the reranker tell an answer from something else, with the vectors that it would get from an index. */
async function tryReranker({ embedder, reranker }: Examined): Promise<string> {
  const query = 'disk full 磁盘空间满'
  const contents = ['Renew the certificate of the gateway.', 'Free some space: the disk is full. 清理磁盘空间。']
  const [queryEmbedding, passages] = await Promise.all([embedder.embedQuery(query), embedder.embedPassages(contents)])
  const candidates = contents.map((content, index) => ({
    chunkId: String(index),
    title: '',
    headingPath: [],
    content,
    metadata: {},
    ...passages[index]!
  }))
  const statistics = async (terms: readonly string[]) => ({
    chunks: contents.length,
    averageLength: 1,
    frequency: terms.map(() => 1)
  })
  const started = performance.now()
  const [best] = await reranker.rerank({ query, queryEmbedding, candidates, topN: 1, statistics })
  if (best?.index !== 1) throw new Error(`${reranker.name} does not tell an answer from something else`)
  return `${reranker.name}: ${candidates.length} candidates in ${Math.round(performance.now() - started)} ms`
}
