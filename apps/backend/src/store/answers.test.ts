import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, type Failure, type Source } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BusinessStore, openBusinessStore } from './open-business-store.ts'
import { type NewToolCall, toolCallIdOf } from './tool-calls.ts'

const ana = { tenantId: 'ana', userId: 'ana' }
const eve = { tenantId: 'eve', userId: 'eve' }
const call = (status: 'running' | 'waiting' | 'ok') => ({
  callId: 'call-1',
  tool: 't',
  arguments: '{}',
  status,
  tookMs: null,
  failure: null,
  found: null
})

const source: Omit<Source, 'marker'> = {
  id: 'c',
  documentId: 'd',
  title: 't',
  headingPath: [],
  start: 0,
  end: 1,
  excerpt: 'x',
  score: 1,
  vectorRank: null,
  vectorScore: null,
  bm25Rank: null,
  bm25Score: null,
  rrfScore: null,
  runId: null,
  callId: 'call-0',
  cited: false
} as unknown as Omit<Source, 'marker'>
const entry: NewToolCall = {
  id: 'e',
  tenantId: 'ana',
  userId: 'ana',
  origin: 'chat',
  conversationId: 'c1',
  messageId: 'a10',
  diagnosisId: null,
  serverId: null,
  tool: 't',
  arguments: '"entered"',
  status: 'ok',
  failure: null,
  resultHash: null,
  resultBytes: null,
  resultExcerpt: '',
  startedAt: 1,
  tookMs: 1
}

let directory: string
let store: BusinessStore
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-answers-'))
  store = openBusinessStore(directory)
  await store.conversations.insert(ana, { id: 'c1', title: '', now: 1 })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

async function begin(now: number, changed: { readonly answerId?: string; readonly owner?: typeof ana } = {}) {
  const { answerId = `a${now}`, owner = ana } = changed
  const turn = {
    conversationId: 'c1',
    questionId: `q${now}`,
    answerId,
    content: 'etcd?',
    title: 'etcd?',
    mode: 'evidence-only' as const,
    knowledgeBaseIds: ['b1'],
    now,
    leaseUntil: now + 100
  }
  return store.transaction((tables) => tables.messages.begin(owner, turn))
}
const progress = (content: string) => ({
  content,
  sources: [],
  tools: [call('running')],
  steps: [{ at: 0, type: 'tool.started' as const, callId: 'call-1' }]
})

describe('a turn', () => {
  it('begins with its question and an empty answer that somebody holds', async () => {
    const begun = await begin(10)
    expect(begun).toMatchObject({
      question: { id: 'q10', position: 0, role: 'user', status: 'completed', knowledgeBaseIds: ['b1'] },
      answer: { id: 'a10', position: 1, role: 'assistant', status: 'streaming', content: '', leaseUntil: 110 }
    })
    expect(await store.conversations.find(ana, 'c1')).toMatchObject({ title: 'etcd?', messages: 2, updatedAt: 10 })
  })

  it('is one at a time, of its owner alone, and takes the place of one whose writer died', async () => {
    await begin(10)
    expect(await begin(50)).toBe('busy')
    expect(await begin(50, { owner: eve })).toBe('missing')
    expect(await begin(111)).toMatchObject({ answer: { position: 3 } })
    expect(await store.messages.own(ana, 'a10')).toMatchObject({ status: 'failed', finishedAt: 111, leaseUntil: null })
    expect(await store.messages.own(eve, 'a10')).toBeUndefined()
  })

  it('reads the ended messages before it, the last ones, oldest first', async () => {
    await begin(10)
    await begin(200)
    await begin(400)
    const found = await store.messages.before('c1', 4, 3)
    expect(found.map(({ id }) => id)).toEqual(['a10', 'q200', 'a200'])
    expect((await store.messages.before('c1', 6, 9)).map(({ id }) => id)).not.toContain('a400')
  })
})

describe('an answer that is written', () => {
  it('grows in one transaction with others, and tells what is asked of its writer', async () => {
    await begin(10)
    const save = async (messageId: string) =>
      (await store.answers.save([{ messageId, leaseUntil: 500, progress: progress('so') }])).get(messageId)
    expect([await save('a10'), await save('gone')]).toEqual(['held', 'lost'])
    expect(await store.messages.own(ana, 'a10')).toMatchObject({ leaseUntil: 500, ...progress('so') })
    await store.answers.requestStop('a10')
    expect(await save('a10')).toBe('stop')
  })

  it('is ended once: nothing is written behind its end', async () => {
    await begin(10)
    const ending = {
      ...progress('end'),
      tools: [call('ok')],
      status: 'completed' as const,
      mode: 'agent' as const,
      retrieval: 'none' as const,
      removedMarkers: 2,
      failure: null,
      finishedAt: 20
    }
    await store.answers.save([{ messageId: 'a10', leaseUntil: 500, ending }])
    const late = await store.answers.save([{ messageId: 'a10', leaseUntil: 900, progress: progress('late') }])
    expect(late.get('a10')).toBe('lost')
    expect(await store.messages.own(ana, 'a10')).toMatchObject({ ...ending, leaseUntil: null })
  })

  it('ends when its lease has run out, with what is there, unless somebody says that it lives', async () => {
    await begin(10)
    await store.answers.save([{ messageId: 'a10', leaseUntil: 500, progress: progress('so') }])
    expect(await store.answers.abandonExpired(500)).toEqual([])
    expect(await store.answers.abandonExpired(501, ['a10'])).toEqual([])
    expect(await store.answers.abandonExpired(501)).toEqual(['a10'])
    expect(await store.answers.abandonExpired(501)).toEqual([])
    expect(await store.messages.own(ana, 'a10')).toMatchObject({
      status: 'partial',
      content: 'so',
      failure: { code: 'SYSTEM_UNAVAILABLE' },
      tools: [{ status: 'cancelled' }]
    })
  })

  it('that nobody ends says of itself what can be read from it: mode, retrieval, what its text cites', async () => {
    await begin(10)
    const search = { ...call('ok'), tool: 'knowledge_retrieval', callId: 'call-0', found: 2 }
    const again = { ...search, callId: 'call-2', status: 'failed' as const, found: null }
    const sources = [1, 2, 3, 4].map((marker) => ({ ...source, marker, id: `c${marker}` }))
    const content = 'Restart it [1].\n\n```sh\necho a[2]\n```\n\nSee `b[4]`, [3](https://example.org) [1]'
    const written = { content, sources, tools: [search, again], steps: [] }
    await store.answers.save([{ messageId: 'a10', leaseUntil: 500, progress: written }])
    await store.answers.abandonExpired(501)
    const ended = await store.messages.own(ana, 'a10')
    expect(ended).toMatchObject({ status: 'partial', mode: 'evidence-only', retrieval: 'failed', content })
    expect(ended?.sources.filter(({ cited }) => cited).map(({ marker }) => marker)).toEqual([1])
  })

  it('enters calls that were open in the audit when it ends, once, whoever looks, and says what may have happened', async () => {
    await begin(10)
    const secret = 'hunter22hunter22'
    const tools = [
      { ...call('ok'), callId: 'done' },
      { ...call('running'), callId: 'ran', arguments: `{"password":"${secret}"}` },
      { ...call('waiting'), callId: 'asked' },
      { ...call('waiting'), callId: 'allowed', arguments: `{"note":"cut in the mid…` },
      { ...call('running'), callId: 'entered' }
    ]
    await store.answers.save([{ messageId: 'a10', leaseUntil: 500, progress: { ...progress('so'), tools } }])
    await store.answers.decide('a10', { callId: 'allowed', approved: true }, 20)
    await store.answers.decide('a10', { callId: 'asked', approved: false }, 20)
    // It ended, was entered, and the process died before the answer said so.
    await store.toolCalls.insert({ ...entry, id: toolCallIdOf('a10', 'entered') })
    const other = openBusinessStore(directory)
    expect(await other.answers.abandonExpired(501)).toEqual(['a10'])
    expect(await store.answers.abandonExpired(501)).toEqual([])
    await other.close()
    // The writer was not dead but asleep: what it says of the call now comes too late.
    await expect(store.toolCalls.insert({ ...entry, id: toolCallIdOf('a10', 'ran') })).rejects.toThrow(AppError)
    const { items } = await store.toolCalls.list({ userId: 'ana' }, { limit: 20 })
    expect(JSON.stringify(items)).not.toContain(secret)
    const seen = items.map(({ arguments: given, status, failure }) => [
      given,
      status,
      (failure as Failure | null)?.message
    ])
    const mayHave = 'The server stopped while this call ran: it may have taken effect.'
    expect(seen.toReversed()).toEqual([
      ['"entered"', 'ok', undefined],
      ['{"password":"[hidden]"}', 'cancelled', mayHave],
      ['{}', 'cancelled', expect.stringContaining('while the answer was being written')],
      ['"{\\"note\\":\\"cut in the mid…"', 'cancelled', mayHave]
    ])
    expect(items[0]).toMatchObject({ tenantId: 'ana', conversationId: 'c1', messageId: 'a10', origin: 'chat' })
    const stored = (await store.messages.own(ana, 'a10'))?.tools.map(({ status, failure }) => [
      status,
      failure?.message
    ])
    expect(stored?.slice(0, 3)).toEqual([
      ['ok', undefined],
      ['cancelled', mayHave],
      ['cancelled', expect.stringContaining('while the answer was being written')]
    ])
  })

  it('hears the first decision on a call, and goes with its conversation', async () => {
    await begin(10)
    expect(await store.answers.decide('a10', { callId: 'call-1', approved: true }, 20)).toBe(true)
    expect(await store.answers.decide('a10', { callId: 'call-1', approved: false }, 21)).toBe(false)
    expect((await store.answers.decisions(['a10'])).get('a10')).toEqual([{ callId: 'call-1', approved: true }])
    expect([await store.conversations.remove(eve, 'c1'), await store.conversations.remove(ana, 'c1')]).toEqual([
      false,
      true
    ])
    expect((await store.answers.decisions(['a10'])).size).toBe(0)
    expect(await store.messages.own(ana, 'a10')).toBeUndefined()
  })
})
