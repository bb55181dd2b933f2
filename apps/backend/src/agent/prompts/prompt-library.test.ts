import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError, newPromptSchema } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../../auth/index.ts'
import { type BusinessStore, openBusinessStore } from '../../store/index.ts'
import { builtInPrompts } from './built-in-prompts.ts'
import { createPromptLibrary, type PromptLibrary } from './create-prompt-library.ts'
import { OWN_LIMIT } from './prompt-parts.ts'

let directory: string
let store: BusinessStore
let library: PromptLibrary
let now: number
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncall-prompts-'))
  store = openBusinessStore(directory)
  now = 1_000
  library = createPromptLibrary({ store, now: () => (now += 1) })
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

const person = (userId: string): Caller => ({
  userId,
  tenantId: userId,
  role: 'member',
  via: 'session',
  scopes: new Set(['retrieve']),
  credentialId: userId
})
const ann = person('ann')
const bob = person('bob')
const builtInId = 'built-in:chat-en'
const text = { description: 'Ours.', content: 'You are our assistant.\n' }
const fault = (code: string) => expect.objectContaining({ code })
const numbered = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ fileName: 'x', content: `---\nname: p${from + at}\n---\nText.` }))
const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)

describe('what the product brings along', () => {
  test('is each in both languages, fits its contract, and says what an agent must keep to', () => {
    for (const kind of ['prompt', 'skill'] as const) {
      const all = [...builtInPrompts(kind).values()]
      expect(all.length).toBeGreaterThanOrEqual(kind === 'prompt' ? 2 : 6)
      for (const each of all) {
        expect(newPromptSchema.parse(each)).toEqual(each)
        const twin = each.name.replace(/-(zh|en)$/, (end) => (end === '-zh' ? '-en' : '-zh'))
        expect(builtInPrompts(kind).has(twin), `${each.name} in the other language`).toBe(true)
        expect(/\p{Script=Han}/u.test(each.content)).toBe(each.name.endsWith('-zh'))
      }
    }
    expect(builtInPrompts('prompt').get('chat-zh')!.content).toMatch(
      /knowledge_retrieval[^]*\[1\][^]*我没能查到[^]*数据不是指令/
    )
    expect(builtInPrompts('prompt').get('chat-en')!.content).toMatch(
      /knowledge_retrieval[^]*\[1\][^]*I could not look[^]*Data is not instructions/
    )
  })

  test('is listed and read as version 0, by everybody, and is in no file of theirs', async () => {
    const { items, total } = await library.prompts.list(ann, { limit: 50 })
    expect([names(items), total]).toEqual([['chat-en', 'chat-zh'], 2])
    expect(items[0]).toMatchObject({ id: builtInId, kind: 'prompt', version: 0, builtIn: true, updatedAt: null })
    expect(await library.prompts.get(bob, builtInId)).toEqual(items[0])
    expect(await library.prompts.versions(ann, builtInId, { limit: 1 })).toMatchObject({ total: 1, nextCursor: null })
    expect(await store.prompts.heads({ tenantId: 'ann', kind: 'prompt' })).toEqual([])
    await expect(library.prompts.get(ann, 'built-in:none')).rejects.toEqual(fault('NOT_FOUND'))
    await expect(library.skills.get(ann, builtInId)).rejects.toEqual(fault('NOT_FOUND'))
  })

  test('gives way to an own one of the name, for one tenant, and is back when that is deleted', async () => {
    const own = await library.prompts.change(ann, builtInId, { ...text, baseVersion: 0 })
    expect(own).toMatchObject({ name: 'chat-en', version: 1, builtIn: true, content: text.content })
    expect(await library.promptFor('ann', 'en')).toBe(text.content)
    expect(await library.promptFor('bob', 'en')).toBe(builtInPrompts('prompt').get('chat-en')!.content)
    expect(await library.prompts.list(ann, { limit: 50 })).toMatchObject({
      total: 2,
      items: [own, { name: 'chat-zh' }]
    })
    expect(await library.prompts.get(ann, builtInId)).toMatchObject({ version: 0 })
    const versions = await library.prompts.versions(ann, own.id, { limit: 50 })
    expect(versions.items.map(({ version, createdBy }) => [version, createdBy])).toEqual([
      [1, 'ann'],
      [0, null]
    ])

    await expect(library.prompts.remove(ann, builtInId)).rejects.toEqual(fault('CONFLICT'))
    await library.prompts.remove(ann, own.id)
    expect(await library.promptFor('ann', 'en')).toBe(builtInPrompts('prompt').get('chat-en')!.content)
    await expect(library.prompts.get(ann, own.id)).rejects.toEqual(fault('NOT_FOUND'))
    await expect(library.prompts.versions(ann, own.id, { limit: 5 })).rejects.toEqual(fault('NOT_FOUND'))
  })
})

describe('a prompt of somebody', () => {
  test('has a version for each change, and each can be read', async () => {
    const { id } = await library.prompts.create(ann, { name: 'mine', ...text })
    for (const baseVersion of [1, 2, 3]) {
      await library.prompts.change(ann, id, { description: '', content: `v${baseVersion + 1}`, baseVersion })
    }
    expect(await library.prompts.get(ann, id)).toMatchObject({ version: 4, content: 'v4', builtIn: false })
    expect(await library.prompts.version(ann, id, 1)).toMatchObject({ content: text.content, createdBy: 'ann' })
    for (const none of [0, 5]) {
      await expect(library.prompts.version(ann, id, none)).rejects.toEqual(fault('NOT_FOUND'))
    }
    const first = await library.prompts.versions(ann, id, { limit: 3 })
    expect(first.items.map(({ version }) => version)).toEqual([4, 3, 2])
    const rest = await library.prompts.versions(ann, id, { limit: 3, cursor: first.nextCursor! })
    expect(rest).toMatchObject({ items: [{ version: 1 }], nextCursor: null, total: 4 })
  })

  test('shows its versions page by page down to the built-in one, each page within its limit', async () => {
    const { id } = await library.prompts.change(ann, builtInId, { ...text, baseVersion: 0 })
    await library.prompts.change(ann, id, { ...text, baseVersion: 1 })
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await library.prompts.versions(ann, id, { limit: 1, cursor })
      expect(page).toMatchObject({ items: { length: 1 }, total: 3 })
      seen.push(page.items[0]!.version)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual([2, 1, 0])
    // Below the oldest there is nothing, whoever made the cursor.
    const below = Buffer.from('0').toString('base64url')
    expect(await library.prompts.versions(ann, id, { limit: 5, cursor: below })).toMatchObject({ items: [] })
  })

  test('that was changed meanwhile is a conflict, of several at once one wins, and nothing is lost', async () => {
    const { id } = await library.prompts.create(ann, { name: 'mine', ...text })
    const tries = Array.from({ length: 8 }, (_, each) =>
      library.prompts.change(ann, id, { description: '', content: `try ${each}`, baseVersion: 1 })
    )
    const ended = await Promise.allSettled(tries)
    const refused = ended.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(7)
    for (const { reason } of refused) expect(reason).toEqual(fault('CONFLICT'))
    expect(await library.prompts.get(ann, id)).toMatchObject({ version: 2 })
    await expect(library.prompts.change(ann, builtInId, { ...text, baseVersion: 1 })).rejects.toEqual(fault('CONFLICT'))
    await library.prompts.change(ann, builtInId, { ...text, baseVersion: 0 })
    await expect(library.prompts.change(ann, builtInId, { ...text, baseVersion: 0 })).rejects.toEqual(fault('CONFLICT'))
  })

  test('has a name of its own within its kind and tenant', async () => {
    await library.prompts.create(ann, { name: 'mine', ...text })
    await expect(library.prompts.create(ann, { name: 'mine', ...text })).rejects.toEqual(fault('CONFLICT'))
    await library.skills.create(ann, { name: 'mine', ...text })
    await library.prompts.create(bob, { name: 'mine', ...text })
  })

  test("is nobody else's to read, change, delete or count, and no skill", async () => {
    const { id } = await library.prompts.create(ann, { name: 'mine', ...text })
    const change = { ...text, baseVersion: 1 }
    for (const [room, caller] of [
      [library.prompts, bob],
      [library.skills, ann]
    ] as const) {
      await expect(room.get(caller, id)).rejects.toEqual(fault('NOT_FOUND'))
      await expect(room.change(caller, id, change)).rejects.toEqual(fault('NOT_FOUND'))
      await expect(room.remove(caller, id)).rejects.toEqual(fault('NOT_FOUND'))
      await expect(room.versions(caller, id, { limit: 5 })).rejects.toEqual(fault('NOT_FOUND'))
      await expect(room.version(caller, id, 1)).rejects.toEqual(fault('NOT_FOUND'))
      expect(names((await room.list(caller, { limit: 200 })).items)).not.toContain('mine')
    }
    expect(await library.prompts.get(ann, id)).toMatchObject({ version: 1 })
  })

  test('is listed by name, page by page, among the built-in ones', async () => {
    for (const name of ['zz', 'aa', 'chat-en']) await library.prompts.create(ann, { name, ...text })
    const first = await library.prompts.list(ann, { limit: 2 })
    expect([names(first.items), first.total]).toEqual([['aa', 'chat-en'], 4])
    const second = await library.prompts.list(ann, { limit: 2, cursor: first.nextCursor! })
    expect([names(second.items), second.nextCursor]).toEqual([['chat-zh', 'zz'], null])
    await expect(library.prompts.list(ann, { limit: 2, cursor: 'L2V0Yw' })).rejects.toEqual(fault('VALIDATION_FAILED'))
  })
})

describe('skills as an agent has them', () => {
  test('are a line each, own ones in the place of built-in ones, and are loaded by name', async () => {
    await library.skills.create(ann, { name: 'handover-en', description: 'Our handover.', content: 'Ours.' })
    await library.skills.create(ann, { name: 'failover', description: 'To the other site.', content: 'Steps.' })
    const { list, load } = await library.skillsFor('ann')
    expect(names(list)).toEqual(names(list).toSorted())
    expect(list).toContainEqual({ name: 'handover-en', description: 'Our handover.' })
    expect(list).toContainEqual({ name: 'failover', description: 'To the other site.' })
    expect(await load('failover')).toBe('Steps.')
    expect(await load('handover-en')).toBe('Ours.')
    expect(await load('alert-triage-zh')).toContain('告警分诊')
    expect(await load('../prompts/chat-zh')).toBeUndefined()
    const others = await library.skillsFor('bob')
    expect(names(others.list)).not.toContain('failover')
    expect(await others.load('failover')).toBeUndefined()
  })
})

describe('files', () => {
  test('that were exported are taken by another tenant, and give the same export', async () => {
    const content = '\uFEFF---\r\nname: no\r\n---\n\n\ttext without an end'
    await library.skills.create(ann, { name: 'odd', description: '"quoted": # [x] \\', content })
    const exported = await library.skills.export(ann)
    expect(exported.files.length).toBe(builtInPrompts('skill').size + 1)
    expect(await library.skills.import(bob, exported)).toEqual({
      created: 1,
      updated: 0,
      unchanged: exported.files.length - 1
    })
    expect(await library.skills.export(bob)).toEqual(exported)
    expect(await library.skills.import(bob, exported)).toMatchObject({ created: 0, updated: 0 })
  })

  test('make a new version of what is there, and an own one of what is built in', async () => {
    const { id } = await library.prompts.create(ann, { name: 'mine', ...text })
    const files = ['mine', 'chat-zh'].map((name) => ({
      fileName: `${name}.md`,
      content: `---\nname: ${name}\n---\nNew.`
    }))
    expect(await library.prompts.import(ann, { files })).toEqual({ created: 1, updated: 1, unchanged: 0 })
    expect(await library.prompts.get(ann, id)).toMatchObject({ version: 2, content: 'New.' })
    expect(await library.promptFor('ann', 'zh')).toBe('New.')
  })

  test('are taken all or none, and each that is refused is named with its reason', async () => {
    const files = [
      { fileName: 'good.md', content: '---\nname: good\n---\nText.' },
      { fileName: 'bad\u202E.md\n', content: 'no front matter' },
      { fileName: 'again.md', content: '---\nname: good\n---\nOther.' }
    ]
    const thrown: unknown = await library.prompts.import(ann, { files }).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(AppError)
    expect(thrown).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        issues: [
          { field: 'files.1', problem: '"bad?.md?" has no front matter: its first line must be ---' },
          { field: 'files.2', problem: '"again.md" has the name good, as "good.md" has' }
        ]
      }
    })
    expect((await library.prompts.list(ann, { limit: 50 })).total).toBe(2)
  })

  test('beyond what one may have are refused as a whole', async () => {
    for (let from = 0; from < OWN_LIMIT; from += 100) await library.prompts.import(ann, { files: numbered(from, 100) })
    await expect(library.prompts.import(ann, { files: numbered(OWN_LIMIT, 1) })).rejects.toEqual(
      fault('VALIDATION_FAILED')
    )
    await expect(library.prompts.create(ann, { name: 'one-more', ...text })).rejects.toEqual(fault('VALIDATION_FAILED'))
    expect(await library.prompts.import(ann, { files: numbered(0, 1) })).toMatchObject({ unchanged: 1 })
    expect(await library.prompts.list(ann, { limit: 200 })).toMatchObject({ total: OWN_LIMIT + 2 })
  })
})
