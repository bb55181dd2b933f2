import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { oncall, repository } from './oncall.ts'
import { startServer } from './service/served.ts'

/**
 * Data folders as earlier releases wrote them, with two runbooks and one recorded run. A release adds its own; none is
 * ever edited.
 */
const releases = ['schema-1'] as const
const recordedRun = '97d31946-d233-4662-a00d-f3e1f84019e0'

let data: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'oncall-upgrade-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

describe.each(releases)('a data folder of an earlier release (%s)', (release) => {
  beforeEach(() => cp(join(repository, 'e2e/fixtures/releases', release), data, { recursive: true }))

  it('answers as before, and the doctor says that only structured search has nothing to look in', async () => {
    const { exit, stdout } = await oncall(['retrieve', 'E_CONN_RESET 怎么恢复', '--data', data, '--json'])
    expect(exit).toBe(0)
    const { results } = JSON.parse(stdout) as { readonly results: readonly { readonly source: string }[] }
    expect(results.map(({ source }) => source)).toEqual(['runbooks/reset.md', 'runbooks/disk.md'])
    const doctor = await oncall(['doctor', '--data', data, '--json'])
    expect(doctor.exit).toBe(1)
    const { checks } = JSON.parse(doctor.stdout) as {
      readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly hint: string }[]
    }
    expect(checks.filter(({ ok }) => !ok)).toMatchObject([
      { name: 'index and entries', hint: expect.stringContaining('oncall reindex') }
    ])
  })

  it('is searched once it is made anew, and until then a search says that it can not look', async () => {
    const server = await startServer(data)
    try {
      const search = async () => {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ keywords: ['E_CONN_RESET'] })
        const answer = await fetch(`${server.address}/api/v1/search`, { method: 'POST', headers, body })
        return { status: answer.status, ...((await answer.json()) as object) }
      }
      expect(await search()).toMatchObject({ status: 503, error: { code: 'SYSTEM_UNAVAILABLE' } })
      expect(server.log()).toContain('oncall reindex')
      expect((await oncall(['reindex', '--data', data])).exit).toBe(0)
      expect(await search()).toMatchObject({ status: 'strict_hit', total: 1, hits: [{ knowledge_type: 'experience' }] })
    } finally {
      await server.stop()
    }
  })

  it('keeps its knowledge base, its documents and its run records when it is written to', async () => {
    const added = await oncall(['index', join(repository, 'e2e/fixtures/runbooks'), '--data', data, '--json'])
    expect([added.exit, (JSON.parse(added.stdout) as { readonly removed: number }).removed]).toEqual([0, 0])
    const { stdout } = await oncall(['retrieve', '磁盘空间满', '--data', data, '--json', '--meta', 'service=payment'])
    const { results } = JSON.parse(stdout) as { readonly results: readonly { readonly source: string }[] }
    expect(results.map(({ source }) => source)).toEqual(['runbooks/disk.md'])
    const { DatabaseSync } = await import('node:sqlite')
    const facts = new DatabaseSync(join(data, 'business.db'), { readOnly: true })
    expect(facts.prepare('SELECT id FROM retrieval_run ORDER BY sequence LIMIT 1').get()).toEqual({ id: recordedRun })
    expect(facts.prepare('SELECT name, description FROM knowledge_base').all()).toEqual([
      { name: 'default', description: '' }
    ])
    facts.close()
  })
})
