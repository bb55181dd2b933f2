import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../auth/index.ts'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { createToolAudit, type ToolAudit } from './create-tool-audit.ts'
import { cutText } from './cut-text.ts'
import type { EndedToolCall } from './tool-audit.ts'

let directory: string
let store: BusinessStore
let audit: ToolAudit
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-audit-'))
  store = openBusinessStore(directory, { busyTimeoutMs: 200 })
  audit = createToolAudit({ store })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const call = (changed: Partial<EndedToolCall> = {}): EndedToolCall => ({
  tenantId: 'ann',
  userId: 'ann',
  origin: 'chat',
  tool: 'prometheus_query',
  input: { query: 'up' },
  status: 'ok',
  failure: null,
  result: 'up = 1',
  startedAt: 1_000.4,
  tookMs: 12.6,
  ...changed
})
const person = (userId: string, changed: Partial<Caller> = {}): Caller => ({
  userId,
  tenantId: userId,
  role: 'member',
  via: 'session',
  scopes: new Set(['retrieve', 'ingest', 'alerts']),
  credentialId: `session of ${userId}`,
  ...changed
})
const administrator = person('root', { role: 'admin', scopes: new Set(['retrieve', 'admin']) })
const query = { limit: 50, whose: 'own' as const }
const recorded = async (changed: Partial<EndedToolCall> = {}) => {
  await audit.record(call(changed))
  return (await audit.list(person('ann'), query)).items[0]!
}

describe('a call that is written down', () => {
  test('tells who called what in which conversation, how it ended, and the hash and bytes of the whole result', async () => {
    const failure = { code: 'SYSTEM_UNAVAILABLE' as const, message: 'It is down.' }
    const ids = { conversationId: 'c', messageId: 'm', serverId: 's' }
    const result = '值'.repeat(1_000)
    expect(await recorded({ ...ids, origin: 'mcp', status: 'failed', failure, result })).toEqual({
      id: expect.any(String),
      userId: 'ann',
      username: null,
      origin: 'mcp',
      ...ids,
      tool: 'prometheus_query',
      arguments: '{"query":"up"}',
      status: 'failed',
      failure,
      resultSha256: createHash('sha256').update(result).digest('hex'),
      resultBytes: 3_000,
      resultExcerpt: `${'值'.repeat(499)}…`,
      startedAt: 1_000,
      tookMs: 13
    })
  })

  test('has no hash where there was no result, and one of nothing where it was empty', async () => {
    expect(await recorded({ result: null })).toMatchObject({ resultSha256: null, resultBytes: null, resultExcerpt: '' })
    const empty = createHash('sha256').digest('hex')
    expect(await recorded({ result: '' })).toMatchObject({ resultSha256: empty, resultBytes: 0, resultExcerpt: '' })
  })

  test('hides secrets in arguments, in the failure and in the result, deep ones too', async () => {
    const secret = 'hunter22-hunter22'
    const failure = { code: 'INTERNAL' as const, message: `refused: password=${secret}` }
    const input = { a: { b: { c: { d: { e: { f: { g: { h: { i: { apiKey: secret, kept: 'yes' } } } } } } } } } }
    const seen = await recorded({ input, failure, result: `Authorization: Bearer ${secret}\n${'x'.repeat(600)}` })
    expect(JSON.stringify(seen)).not.toContain('hunter22')
    expect(seen.arguments).toContain('"kept":"yes"')
    const bytes = new DatabaseSync(join(directory, 'business.db')).prepare('SELECT * FROM tool_call').all()
    expect(JSON.stringify(bytes)).not.toContain('hunter22')
  })

  test('keeps arguments that are no JSON, or nothing, or half a character, as they can be kept', async () => {
    expect((await recorded({ input: '{"query": "up' })).arguments).toBe('"{\\"query\\": \\"up"')
    expect((await recorded({ input: undefined })).arguments).toBe('null')
    expect((await recorded({ input: { text: 'a\uD83D', nul: '\0' } })).arguments).toContain('"text"')
    expect((await recorded({ result: 'a\uD83Db\0c' })).resultExcerpt).toBe('a\uFFFDb\0c')
  })

  test('keeps 16 KiB of longer arguments and says that and how many there were; 16 KiB stay whole', async () => {
    const exactly = { q: 'x'.repeat(16_384 - '{"q":""}'.length) }
    expect((await recorded({ input: exactly })).arguments).toBe(JSON.stringify(exactly))
    const longer = (await recorded({ input: { q: '泵'.repeat(20_000) } })).arguments
    expect(longer).toMatch(/^\{"q":"泵+… \[cut: 60008 bytes in all\]$/)
    expect(Buffer.byteLength(longer.split('…')[0]!)).toBeLessThanOrEqual(16_384)
  })

  test('is changed by nobody: the file itself refuses', async () => {
    await recorded()
    const raw = new DatabaseSync(join(directory, 'business.db'))
    expect(() => raw.exec("UPDATE tool_call SET status = 'ok', tool = 'other'")).toThrow('immutable')
    raw.close()
    expect((await audit.list(person('ann'), query)).items).toMatchObject([{ tool: 'prometheus_query' }])
  })

  test('that can not be written down is an error, not a silence', async () => {
    const other = new DatabaseSync(join(directory, 'business.db'))
    other.exec('BEGIN IMMEDIATE')
    await expect(audit.record(call())).rejects.toMatchObject({ code: 'DATA_LOCKED' })
    other.exec('ROLLBACK')
    other.close()
    await audit.record(call())
  })
})

describe('the list of calls', () => {
  test('has the own alone, newest first, page by page, by tool, status and conversation', async () => {
    for (let at = 0; at < 5; at += 1) {
      const status = at === 3 ? 'refused' : 'ok'
      await audit.record(call({ tool: `t${at}`, status, conversationId: at % 2 === 0 ? 'even' : 'odd' }))
    }
    await audit.record(call({ userId: 'bob', tenantId: 'bob', tool: 'theirs', conversationId: 'even' }))
    const list = async (changed: object) => audit.list(person('ann'), { ...query, ...changed })
    const first = await list({ limit: 2 })
    expect([first.items.map(({ tool }) => tool), first.total]).toEqual([['t4', 't3'], 5])
    const second = await list({ limit: 2, cursor: first.nextCursor })
    expect(second.items.map(({ tool }) => tool)).toEqual(['t2', 't1'])
    expect(await list({ limit: 2, cursor: second.nextCursor })).toMatchObject({
      items: [{ tool: 't0' }],
      nextCursor: null
    })
    expect(await list({ tool: 't1' })).toMatchObject({ items: [{ tool: 't1' }], total: 1 })
    expect(await list({ status: 'refused' })).toMatchObject({ items: [{ tool: 't3' }], total: 1 })
    expect(await list({ conversationId: 'even' })).toMatchObject({ total: 3 })
  })

  test("shows everybody's to administrators alone, and not to their keys without the scope", async () => {
    await recorded()
    const everybody = { ...query, whose: 'everybody' as const }
    expect(await audit.list(administrator, everybody)).toMatchObject({ items: [{ userId: 'ann' }], total: 1 })
    expect(await audit.list(administrator, query)).toMatchObject({ items: [], total: 0 })
    const key = { ...administrator, via: 'api-key' as const, scopes: new Set(['retrieve'] as const) }
    for (const caller of [person('bob'), key]) {
      await expect(audit.list(caller, everybody)).rejects.toMatchObject({ code: 'AUTH_FORBIDDEN' })
    }
  })

  test("does not know another's call, nor one that never was; an administrator may open any", async () => {
    const { id } = await recorded()
    expect(await audit.get(person('ann'), id)).toMatchObject({ id })
    expect(await audit.get(administrator, id)).toMatchObject({ id })
    await expect(audit.get(person('bob'), id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(audit.get(administrator, 'none')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a text that is cut', () => {
  test.each([
    ['a'.repeat(500), 'a'.repeat(500)],
    ['a'.repeat(501), `${'a'.repeat(499)}…`],
    // A family of four is eleven units and one character.
    [`${'a'.repeat(495)}👨‍👩‍👧‍👦tail`, `${'a'.repeat(495)}…`],
    [`${'a'.repeat(488)}👨‍👩‍👧‍👦tail`, `${'a'.repeat(488)}👨‍👩‍👧‍👦…`]
  ])('never ends within what is seen as one character', (text, expected) => {
    expect(cutText(text, 500)).toBe(expected)
  })

  test('is within its limit and the beginning of the whole, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (text, limit) => {
        const cut = cutText(text, limit)
        expect(cut.length).toBeLessThanOrEqual(limit)
        expect(text.startsWith(cut.replace(/…$/, ''))).toBe(true)
      })
    )
  })
})
