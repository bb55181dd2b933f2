import { copyFileSync, cpSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PortError, type Embedder } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RESULTS, TEXTS, cosine, decodeHalves, passageText } from '../test-material/recorded.ts'
import { createTokenCounter } from '../tokenizer/token-counter.ts'
import { readLateVectors } from '../token-vectors/late-format.ts'
import { BUNDLED_WEIGHTS } from '../weights/weight-files.ts'
import { createBundledEmbedder } from './bundled-embedder.ts'
import { E5_WIDTH } from './composite.ts'

const ODD_TEXTS = [
  '',
  ' ',
  '\n\t',
  '\u0000',
  '\ud800',
  '𓂀𓃰',
  '😀'.repeat(900),
  'ꀀꀁ',
  '。',
  'x'.repeat(20_000),
  '<s></s><unk>'
]
const passages = TEXTS.passages.map(passageText)
/** Two to three hundred tokens, a second or two of work in all. */
const long = Array.from({ length: 12 }, (_, i) =>
  Array.from({ length: 4 }, (__, k) => passages[(i + 5 * k) % 20]).join('\n')
)

let embedder: Embedder
beforeAll(async () => {
  embedder = createBundledEmbedder({ tokenVectors: true })
  await embedder.warm()
})
afterAll(() => embedder.close())

function norm(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
}

describe('bundled embedder against Python', () => {
  it('gives the vectors that ONNX Runtime and numpy give there', async () => {
    for (const [i, query] of TEXTS.queries.entries()) {
      const { vector } = await embedder.embedQuery(query)
      expect({ query, near: cosine(vector, decodeHalves(RESULTS.queries[i]!.vector)) > 0.999 }).toEqual({
        query,
        near: true
      })
    }
    const embedded = await embedder.embedPassages(passages)
    expect(embedded).toHaveLength(RESULTS.passages.length)
    for (const [i, { vector }] of embedded.entries()) {
      expect(cosine(vector, decodeHalves(RESULTS.passages[i]!.vector))).toBeGreaterThan(0.999)
    }
  })

  it('stays near the unmodified USE package, from which pruning and four bits take a little', async () => {
    const cosines: number[] = []
    for (const [i, { vector }] of (await embedder.embedPassages(passages)).entries()) {
      cosines.push(cosine(vector.subarray(E5_WIDTH), decodeHalves(RESULTS.passages[i]!.usePackage)))
    }
    expect(Math.min(...cosines)).toBeGreaterThan(0.94)
    expect(cosines.reduce((sum, value) => sum + value, 0) / cosines.length).toBeGreaterThan(0.98)
  })
})

describe('bundled embedder', () => {
  it('gives the same vector and token vectors to a text in whatever company', async () => {
    const alone = await embedder.embedPassages([long[3]!])
    const among = await embedder.embedPassages([passages[0]!, long[3]!, '', long[5]!])
    expect(among[1]).toEqual(alone[0])
  })

  it('gives finite unit vectors for empty, unknown, broken and over-long text', async () => {
    const all = [
      ...(await embedder.embedPassages(ODD_TEXTS)),
      ...(await Promise.all(ODD_TEXTS.map((text) => embedder.embedQuery(text))))
    ]
    expect(all).toHaveLength(2 * ODD_TEXTS.length)
    for (const { vector } of all) {
      expect(vector).toHaveLength(896)
      expect(norm(vector)).toBeCloseTo(1, 5)
    }
  })

  it('cuts a text over the limit there: what lies behind moves nothing', async () => {
    const head = '磁盘空间不足，请先清理日志。'.repeat(100)
    const [one, other] = await embedder.embedPassages([`${head}重启网关`, `${head}扩容数据库，然后通知值班人员`])
    expect(one!.vector).toEqual(other!.vector)
    expect(other!.tokenCount).toBeGreaterThan(one!.tokenCount)
    expect(one!.tokenCount).toBeGreaterThan(embedder.limits.maxTokens)
  })

  it('counts tokens as the synchronous counter does', async () => {
    const count = createTokenCounter()
    const embedded = await embedder.embedPassages(passages)
    expect(embedded.map(({ tokenCount }) => tokenCount)).toEqual(passages.map(count))
  })

  it('keeps one cluster for two tokens of a passage, and every token of a query', async () => {
    const [passage] = await embedder.embedPassages([passages[0]!])
    // Start mark, two pieces of prefix and end mark are not kept.
    expect(readLateVectors(passage!.tokenVectors!)?.clusters).toBe(Math.ceil((passage!.tokenCount - 4) / 2))
    const query = await embedder.embedQuery(TEXTS.queries[0]!)
    expect(query.tokenVectors).toHaveLength((query.tokenCount - 5) * 384)
  })

  it('leaves the event loop free and answers queries while passages are embedded', async () => {
    const before = performance.eventLoopUtilization()
    const progress = { done: false }
    const work = embedder.embedPassages(long).finally(() => (progress.done = true))
    let answered = 0
    while (!progress.done) {
      await embedder.embedQuery(TEXTS.queries[answered % 20]!)
      answered++
    }
    await work
    expect(answered).toBeGreaterThan(5)
    // 0.05 on a quiet machine; a model run on this thread would hold it all the time.
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })

  it('drops the questions of askers who have gone, so that the next one does not wait for them', async () => {
    const gone = new AbortController()
    const question = '磁盘空间满怎么办 disk pressure '.repeat(60)
    const one = performance.now()
    await embedder.embedQuery(question)
    const aloneMs = performance.now() - one
    const dropped = Array.from({ length: 60 }, () => embedder.embedQuery(question, gone.signal).catch(() => 'gone'))
    gone.abort(new Error('the client went away'))
    expect(await Promise.all(dropped)).toEqual(dropped.map(() => 'gone'))
    const asked = performance.now()
    await embedder.embedQuery(question)
    // Two may be with the thread already; sixty would take sixty times as long.
    expect(performance.now() - asked).toBeLessThan(20 * aloneMs)
  })

  it('stops at once when it is aborted, and goes on with the next call', async () => {
    const timed = async (texts: readonly string[]): Promise<number> => {
      const started = performance.now()
      await embedder.embedPassages(texts)
      return performance.now() - started
    }
    const whole = await timed(long)
    const abort = new AbortController()
    const work = embedder.embedPassages([...long, ...long], abort.signal)
    const reason = new Error('the chat was left')
    setTimeout(() => abort.abort(reason), 30)
    await expect(work).rejects.toBe(reason)
    // At most the two texts that the thread had are waited for, not the other twenty-two.
    expect(await timed([passages[0]!])).toBeLessThan(whole)
    await expect(embedder.embedPassages(passages, AbortSignal.abort(reason))).rejects.toBe(reason)
    await expect(embedder.embedQuery('磁盘', AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  it('gives nothing for nothing', async () => {
    expect(await embedder.embedPassages([])).toEqual([])
  })

  it('gives the same vectors with two threads as with one, in order', async () => {
    const two = createBundledEmbedder({ tokenVectors: false, threads: 2 })
    const [there, here] = await Promise.all([two.embedPassages(passages), embedder.embedPassages(passages)])
    expect(there.map(({ vector }) => vector)).toEqual(here.map(({ vector }) => vector))
    expect(there[0]!.tokenVectors).toBeUndefined()
    await two.close()
  })
})

describe('life of a bundled embedder', () => {
  it('is cold until used, loads once, is warm, then closed', async () => {
    const own = createBundledEmbedder({ tokenVectors: false })
    expect(own.state).toBe('cold')
    const loading = [own.warm(), own.warm()]
    expect(own.state).toBe('warming')
    await Promise.all(loading)
    expect(own.state).toBe('warm')
    await own.close()
    expect(own.state).toBe('closed')
    await own.close()
    await expect(own.embedQuery('磁盘')).rejects.toMatchObject({ failure: 'closed' })
    await expect(own.embedPassages(['磁盘'])).rejects.toMatchObject({ failure: 'closed' })
    await expect(own.warm()).rejects.toMatchObject({ failure: 'closed' })
  })

  it('fails what is under way when it is closed, and never hangs', async () => {
    const own = createBundledEmbedder({ tokenVectors: false })
    const work = own.embedPassages(long)
    const query = own.embedQuery('磁盘')
    const seen = Promise.allSettled([work, query])
    await own.close()
    for (const result of await seen) expect(result).toMatchObject({ status: 'rejected', reason: { failure: 'closed' } })
  })

  it('names the damaged file, and works once it is restored', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'weights-'))
    cpSync(BUNDLED_WEIGHTS, folder, { recursive: true })
    truncateSync(path.join(folder, 'use-table.bin'), 1000)
    const own = createBundledEmbedder({ tokenVectors: false, weightsFolder: folder })
    const error: unknown = await own.embedQuery('磁盘').catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(PortError)
    expect(error).toMatchObject({ failure: 'corrupt', subject: path.join(folder, 'use-table.bin') })
    expect((error as PortError).hint).toContain('git checkout')
    expect(own.state).toBe('failed')
    copyFileSync(path.join(BUNDLED_WEIGHTS, 'use-table.bin'), path.join(folder, 'use-table.bin'))
    const query = own.embedQuery('磁盘')
    // Trying again is not yet success.
    expect(own.state).toBe('failed')
    expect((await query).vector).toHaveLength(896)
    expect(own.state).toBe('warm')
    truncateSync(path.join(folder, 'use-table.bin'), 1000)
    await expect(own.embedPassages(['磁盘'])).rejects.toMatchObject({ failure: 'corrupt' })
    expect(own.state).toBe('failed')
    await own.close()
    expect(own.state).toBe('closed')
    rmSync(folder, { recursive: true })
  })
})
