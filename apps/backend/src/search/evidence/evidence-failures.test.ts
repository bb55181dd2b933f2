import { AppError } from '@oncall-agent/api-contracts'
import { PortError, type RerankScore } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSmallIndex, type SmallIndex } from '../test-material/small-index.ts'
import type { EvidenceParts } from './evidence-parts.ts'
import type { FinishedRun } from './record-run.ts'
import { retrieveEvidence } from './retrieve-evidence.ts'

const runbooks = { tenantId: 'ada', knowledgeBaseId: 'runbooks' }
const caller = { tenantId: 'ada', userId: 'ada', readable: [runbooks] }
const RETRIEVAL = 'Knowledge retrieval is temporarily unavailable.'
const RERANKING = 'Knowledge reranking is temporarily unavailable.'

let small: SmallIndex

beforeAll(async () => {
  small = await openSmallIndex()
  const contents = ['E_CONN_RESET: restart the upstream.', 'E_TLS_EXPIRED: renew it.']
  await small.publish({ ...runbooks, documentId: 'gateway', title: 'Gateway', contents })
})

afterAll(() => small.close())

interface Outcome {
  readonly error: AppError
  readonly runs: readonly FinishedRun[]
}

/** Retrieves with some parts broken, and gives the error that came out. */
async function failing(broken: Partial<EvidenceParts>, signal?: AbortSignal): Promise<Outcome> {
  const runs: FinishedRun[] = []
  const log = {
    store: async (run: FinishedRun) => void runs.push(run),
    onUnrecorded: () => undefined
  }
  const parts = { ...small.parts, ...broken }
  const error = await retrieveEvidence({ query: 'E_CONN_RESET' }, caller, { parts, log }, signal).then(
    () => new Error('it answered'),
    (thrown: Error) => thrown
  )
  return { error: error as AppError, runs }
}

const secretive = new Error('connect ECONNREFUSED http://key:sk-123@10.0.0.7:8000')
const never = () => new Promise<never>(() => undefined)
const index = (change: Partial<EvidenceParts['index']>) => ({ ...wholeIndex(), ...change })
const wholeIndex = (): EvidenceParts['index'] => {
  const { lexical, vector, chunks } = small.index
  return { engine: 'embedded', lexical, vector, chunks }
}
const embedder = (embedQuery: EvidenceParts['embedder']['embedQuery']) =>
  ({ fingerprint: small.parts.embedder.fingerprint, embedQuery }) as EvidenceParts['embedder']
const reranker = (rerank: EvidenceParts['reranker']['rerank']) => ({
  name: 'broken',
  needs: { vectors: false, tokenVectors: false, statistics: false },
  rerank
})

describe('each stage that fails makes the whole call fail, with its own trace and a fixed message', () => {
  it.each<[string, string, string, () => Partial<EvidenceParts>]>([
    ['the embedder', 'embed', RETRIEVAL, () => ({ embedder: embedder(() => Promise.reject(secretive)) })],
    [
      'an embedder of another width',
      'embed',
      RETRIEVAL,
      () => ({ embedder: embedder(async () => ({ vector: new Float32Array(3), tokenCount: 1 })) })
    ],
    [
      'an embedder that gives NaN',
      'embed',
      RETRIEVAL,
      () => ({ embedder: embedder(async () => ({ vector: new Float32Array(896).fill(Number.NaN), tokenCount: 1 })) })
    ],
    [
      'the vector index',
      'vector',
      RETRIEVAL,
      () => ({ index: index({ vector: { capabilities: { exact: true }, search: () => Promise.reject(secretive) } }) })
    ],
    [
      'the lexical index',
      'lexical',
      RETRIEVAL,
      () => ({ index: index({ lexical: { ...small.index.lexical, search: () => Promise.reject(secretive) } }) })
    ],
    [
      'reading the chunks',
      'fuse',
      RETRIEVAL,
      () => ({ index: index({ chunks: { read: () => Promise.reject(secretive) } }) })
    ],
    ['the reranker', 'rerank', RERANKING, () => ({ reranker: reranker(() => Promise.reject(secretive)) })]
  ])('%s', async (_what, stage, message, broken) => {
    const { error, runs } = await failing(broken())
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', message })
    const { stages, runId } = error.details as { stages: { name: string; status: string }[]; runId: string }
    expect(stages.find(({ name }) => name === stage)!.status).toBe('failed')
    expect(JSON.stringify({ message: error.message, details: error.details })).not.toMatch(/sk-123|10\.0\.0\.7/)
    expect(runs).toEqual([expect.objectContaining({ runId, outcome: 'failed' })])
    expect(runs[0]!.record.failure).toEqual({ code: 'SYSTEM_UNAVAILABLE', stage })
    expect(error.cause).toBeInstanceOf(Error)
  })

  it.each<[string, readonly RerankScore[]]>([
    [
      'an index out of range',
      [
        { index: 99, score: 0.9 },
        { index: 0, score: 0.1 }
      ]
    ],
    [
      'a negative index',
      [
        { index: -1, score: 0.9 },
        { index: 0, score: 0.1 }
      ]
    ],
    [
      'a repeated index',
      [
        { index: 0, score: 0.9 },
        { index: 0, score: 0.8 }
      ]
    ],
    ['too few scores', [{ index: 0, score: 0.9 }]],
    ['no scores', []],
    [
      'a score above 1',
      [
        { index: 0, score: 7.3 },
        { index: 1, score: 0.2 }
      ]
    ],
    [
      'a score that is no number',
      [
        { index: 0, score: Number.NaN },
        { index: 1, score: 0.2 }
      ]
    ]
  ])('a reranker that answers with %s', async (_what, scores) => {
    const { error } = await failing({ reranker: reranker(async () => scores) })
    expect(error).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', message: RERANKING })
  })

  it('an index made with another model is told as that, naming both', async () => {
    const mismatch = new PortError('model-mismatch', {
      operation: 'open index',
      subject: 'index.db',
      reason: 'made with a, not b'
    })
    const { error } = await failing({
      index: index({ vector: { capabilities: { exact: true }, search: () => Promise.reject(mismatch) } })
    })
    expect(error).toMatchObject({
      code: 'INDEX_MODEL_MISMATCH',
      message: expect.stringContaining('made with a, not b')
    })
  })

  it('a chunk from outside the scope means that the engine is at fault', async () => {
    const chunks = {
      read: async () =>
        (
          await small.index.chunks.read({
            chunkIds: ['gateway#0000', 'gateway#0001'],
            scope: { pairs: [runbooks] },
            withVectors: false,
            withTokenVectors: false
          })
        ).map((chunk) => ({ ...chunk, document: { ...chunk.document, tenantId: 'eve' } }))
    }
    const { error } = await failing({ index: index({ chunks }) })
    expect(error).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', message: RETRIEVAL })
    expect(String((error.cause as Error).cause)).toContain('outside the scope')
  })
})

describe('time', () => {
  it('a stage that hangs is ended by its own deadline', async () => {
    const limits = { ...small.parts.limits, embedMs: 50 }
    const { error } = await failing({ embedder: embedder(never), limits })
    expect(error).toMatchObject({ code: 'SYSTEM_UNAVAILABLE', message: RETRIEVAL })
  })

  it('stages that are each in time are ended by the total deadline', async () => {
    const limits = { ...small.parts.limits, deadlineMs: 80 }
    const { error, runs } = await failing({ reranker: reranker(never), limits })
    expect(error.code).toBe('SYSTEM_UNAVAILABLE')
    expect(runs[0]!.outcome).toBe('failed')
  })

  it('a failure of one branch answers at once, though the other still hangs, and stops the other', async () => {
    let stopped = false
    const hanging = (_text: string, signal?: AbortSignal) => {
      signal!.addEventListener('abort', () => {
        stopped = true
      })
      return never()
    }
    const lexical = { ...small.index.lexical, search: () => Promise.reject(secretive) }
    const { error } = await failing({ embedder: embedder(hanging), index: index({ lexical }) })
    expect(error.code).toBe('SYSTEM_UNAVAILABLE')
    expect(stopped).toBe(true)
  })

  it('a caller who gives up gets their own reason, and every running stage is told', async () => {
    const giveUp = new AbortController()
    let told: unknown
    const hanging = (_text: string, signal?: AbortSignal) => {
      signal!.addEventListener('abort', () => {
        told = signal!.reason
      })
      giveUp.abort(new Error('the chat was closed'))
      return never()
    }
    const { error, runs } = await failing({ embedder: embedder(hanging) }, giveUp.signal)
    expect(error).toMatchObject({ message: 'the chat was closed' })
    expect(told).toBe(giveUp.signal.reason)
    expect(runs).toEqual([])
  })
})

describe('a document that is replaced while it is being retrieved', () => {
  it('is recalled again, so that ranks and text are of one version', async () => {
    let replaced = false
    const search: EvidenceParts['index']['lexical']['search'] = async (...request) => {
      const recall = await small.index.lexical.search(...request)
      if (!replaced) {
        replaced = true
        await small.publish({
          ...runbooks,
          documentId: 'gateway',
          title: 'Gateway',
          version: 2,
          contents: ['E_CONN_RESET: 新的步骤']
        })
      }
      return recall
    }
    const parts = { ...small.parts, index: index({ lexical: { ...small.index.lexical, search } }) }
    const log = { store: async () => undefined, onUnrecorded: () => undefined }
    const answer = await retrieveEvidence({ query: 'E_CONN_RESET' }, caller, { parts, log })
    expect(answer.results.map((hit) => hit.content)).toEqual(['E_CONN_RESET: 新的步骤'])
  })

  it('at every attempt is a failure, not an endless loop', async () => {
    let version = 10
    const search: EvidenceParts['index']['lexical']['search'] = async (...request) => {
      const recall = await small.index.lexical.search(...request)
      await small.publish({
        ...runbooks,
        documentId: 'gateway',
        title: 'Gateway',
        version: version++,
        contents: ['E_CONN_RESET']
      })
      return recall
    }
    const { error } = await failing({ index: index({ lexical: { ...small.index.lexical, search } }) })
    expect(error.code).toBe('SYSTEM_UNAVAILABLE')
    expect(String((error.cause as Error).cause)).toContain('changed during each of 5 attempts')
  })
})
