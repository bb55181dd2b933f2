import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-material/temporary-folder.ts'
import type { EvaluationSet } from '../sets/evaluation-set.ts'
import { evaluateSet } from './evaluate-set.ts'
import { openProduct, type Product } from './product.ts'
import type { SetResult } from './set-result.ts'

const folder = temporaryFolder()
const watch = { signal: new AbortController().signal, onStep: () => undefined }
const stages = ['lexical', 'vector', 'fused', 'reranked'] as const

const set: EvaluationSet = {
  name: 'tiny',
  half: 'dev',
  documents: [
    { id: 'zh-disk', title: '磁盘空间不足', text: '用 truncate 清空日志，不要直接删除文件。' },
    {
      id: 'en-cert',
      title: 'Certificate rotation',
      text: 'Renew the gateway certificate thirty days before it expires.'
    },
    { id: 'en-mail', title: 'Mail queue', text: 'Lower the concurrency for the provider that throttles us.' },
    { id: 'zh-auth', title: '登录报错 AUTH-4017', text: '令牌签名密钥不匹配，滚动重启认证服务。' }
  ],
  queries: [
    { id: 'q1', text: 'AUTH-4017' },
    { id: 'q2', text: '证书快过期了怎么更换' }
  ],
  judgements: new Map([
    ['q1', new Map([['zh-auth', 1]])],
    ['q2', new Map([['en-cert', 1]])]
  ]),
  leftOut: { queriesWithoutJudgement: 0, judgedQueriesNotAsked: 0 }
}

async function withProduct<T>(work: (product: Product) => Promise<T>): Promise<{ value: T; embedded: number }> {
  let embedded = 0
  const product = openProduct(folder.path, (_done, _total, now) => (embedded += now))
  try {
    return { value: await work(product), embedded }
  } finally {
    await product.close()
  }
}

function evaluateWhole(product: Product): Promise<SetResult> {
  return evaluateSet(set, { chunking: 'whole', stages }, product, watch)
}

const leftovers = async (): Promise<readonly string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('oncall-eval-') && !name.includes('cli'))

describe('evaluating a set with the bundled models', () => {
  it('finds an identifier by its words and a Chinese question’s English answer by its meaning', async () => {
    const { value } = await withProduct(evaluateWhole)
    expect(value).toMatchObject({ set: 'tiny', chunking: 'whole', documents: 4, chunks: 4, refused: 0 })
    // The words of the second question are in no document that answers it.
    expect(value.stages.lexical!['mrr@10']).toBeLessThan(1)
    expect(value.stages.reranked!['mrr@10']).toBe(1)
    expect(value.comparisons!.betterBranch.branch).toBe('vector')
    expect(value.brier!.forecasts).toBeGreaterThanOrEqual(4)
  })

  it('gives the same figures a second time without embedding anything', async () => {
    const first = await withProduct(evaluateWhole)
    const second = await withProduct(evaluateWhole)
    expect(second.embedded).toBe(0)
    expect(second.value).toEqual(first.value)
  })

  it('removes its folder, also when it fails', async () => {
    const before = await leftovers()
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    await withProduct(async (product) => {
      const run = evaluateSet(set, { chunking: 'whole', stages }, product, { ...watch, signal: stop.signal })
      await expect(run).rejects.toThrow('enough')
      await evaluateSet(set, { chunking: 'product', stages: ['lexical'] }, product, watch)
    })
    expect(await leftovers()).toEqual(before)
  })
})
