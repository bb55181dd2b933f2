import type { RetrievalRun } from '@oncall-agent/api-contracts'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bootstrap, ended, file, type Person } from '../service/people.ts'
import { ask, heading, outcomeOf } from './actions.ts'
import { type Bench, openBench } from './bench.ts'
import { browserPath, type Visit } from './browser.ts'

const QUESTION = 'restart pay-gateway after E_CONN_RESET'

/** What the page takes from the record of a run. */
interface Candidate {
  readonly chunkId: string
  readonly vectorRank: number | null
  readonly vectorScore: number | null
  readonly bm25Rank: number | null
  readonly bm25Score: number | null
  readonly rrfRank: number | null
  readonly rrfScore: number | null
  readonly rerankRank: number | null
  readonly rerankScore: number | null
}

const candidatesOf = ({ record }: RetrievalRun): readonly Candidate[] =>
  (record as unknown as { readonly candidates: readonly Candidate[] }).candidates

describe.skipIf(browserPath === undefined)('the retrieval lab (skipped where there is no Chromium)', () => {
  let bench: Bench
  let ana: Person
  let here: Visit
  let t: Visit['texts']['t']
  let run: Locator
  const documents: string[] = []
  beforeAll(async () => {
    bench = await openBench()
    ana = await bootstrap(bench.server.address)
    const base = await ana.api.createKnowledgeBase({ body: { name: 'runbooks' } })
    for (let at = 0; at < 7; at++) {
      const text = `# Note ${at}\n\nRestart ${'pay-gateway '.repeat(at)} after E_CONN_RESET or E_${at}.\n`
      const form = { index: true }
      const files = [file(`note-${at}.md`, text)]
      const { document, task } = await ana.api.uploadDocuments({ params: { id: base.id }, form, files })
      await ended(ana.api, task!.id)
      documents.push(document.id)
    }
    here = await bench.visit({ cookie: ana.cookie })
    t = here.texts.t
    run = here.page.getByRole('article', { name: t('lab.run') })
  })
  afterAll(() => bench.close())

  const runId = (): Promise<string> => run.locator('dd code').first().innerText()

  it('shows the ranks and scores that the interface answers to the same question', async () => {
    await here.page.goto('/lab')
    await ask(here, QUESTION)
    await run.getByText(t('lab.models')).waitFor()
    const answer = await ana.api.retrieve({ body: { query: QUESTION } })
    const stored = await ana.api.retrievalRun({ params: { runId: answer.runId! } })
    const candidates = candidatesOf(stored)
    const { rank, score } = here.texts.formats

    const cards = run.getByRole('list').first().getByRole('listitem')
    expect(await cards.count()).toBe(answer.results.length)
    for (const [at, { chunkId }] of answer.results.entries()) {
      const found = candidates.find((each) => each.chunkId === chunkId)!
      const facts = await cards.nth(at).locator('dl dd').allInnerTexts()
      expect(facts.map((each) => each.split(/\s+/))).toEqual([
        [rank(found.rerankRank), score(found.rerankScore, 3)],
        [rank(found.vectorRank), score(found.vectorScore, 3)],
        [rank(found.bm25Rank), score(found.bm25Score, 2)],
        [rank(found.rrfRank), score(found.rrfScore, 4)]
      ])
    }
    for (const branch of ['vector', 'lexical'] as const) {
      const table = run.getByRole('table', { name: t(`lab.branchCaptions.${branch}`) })
      const rows = await table
        .getByRole('row')
        .filter({ has: here.page.getByRole('cell') })
        .count()
      const expected = candidates.filter((each) => (branch === 'vector' ? each.vectorRank : each.bm25Rank) !== null)
      expect(rows).toBe(expected.length)
    }
    const stages = run.getByRole('table', { name: t('lab.timing') })
    const names = await stages.getByRole('rowheader').allTextContents()
    expect(names.map((name) => name.trim().replaceAll(/\s+/g, ' '))).toEqual(
      answer.stages.map(({ name, engine }) => `${t(`lab.stages.${name}`)} ${engine}`)
    )
  })

  it('puts two runs side by side, and its address shows both to whoever gets it', async () => {
    const { page } = here
    const first = await runId()
    await run.getByRole('button', { name: t('lab.keep'), exact: true }).click()
    await page.getByLabel(t('lab.topK')).selectOption('2')
    await ask(here, 'E_3')
    const comparison = page.getByRole('region', { name: t('lab.comparison'), exact: true })
    await comparison.getByText(t('lab.moves.gone')).first().waitFor()
    const second = await runId()
    await expect.poll(() => page.url()).toContain(`run=${second}&with=${first}`)
    await page.reload()
    await comparison.getByText(t('lab.moves.gone')).first().waitFor()
    await comparison.getByRole('button', { name: t('lab.leave') }).click()
    await comparison.waitFor({ state: 'detached' })
  })

  it('opens an earlier run by its id, also after its documents were deleted', async () => {
    const { page } = here
    await ask(here, QUESTION)
    const id = await runId()
    const shown = await run.getByRole('list').first().getByRole('link').allInnerTexts()
    await ana.api.deleteDocument({ params: { id: documents.at(-1)! } })
    await page.goto('/lab')
    await page.getByText(t('lab.earlier')).click()
    await page.getByLabel(t('lab.runId'), { exact: true }).fill(id)
    await page.getByRole('button', { name: t('lab.open'), exact: true }).click()
    await run.getByRole('heading', { name: `“${QUESTION}”` }).waitFor()
    expect(await run.getByRole('list').first().getByRole('link').allInnerTexts()).toEqual(shown)
    here.tolerate(404)
    await page.getByLabel(t('lab.runId'), { exact: true }).fill('no-such-run')
    await page.getByRole('button', { name: t('lab.open'), exact: true }).click()
    await page.getByRole('alert').getByText(t('lab.runMissing')).waitFor()
  })

  it('tells "nothing was found" from a retrieval that failed, and says where and under which id', async () => {
    const { page } = here
    await page.goto('/lab')
    const empty = await ana.api.createKnowledgeBase({ body: { name: 'empty' } })
    await page.reload()
    await page.getByRole('checkbox', { name: empty.name }).check()
    await ask(here, QUESTION)
    await run.getByText(t('lab.nothing')).waitFor()

    here.tolerate(503, 500, 502)
    bench.stub.misbehave({ status: 500 })
    await page.getByRole('checkbox', { name: empty.name }).uncheck()
    await ask(here, 'another question that nobody asked')
    bench.stub.misbehave(undefined)
    const alert = page.getByRole('alert').first()
    await alert.getByText(t('lab.failed')).waitFor()
    await alert.getByText(t('lab.failedAt', { stage: t('lab.stages.embed') })).waitFor()
    await alert.getByText('SYSTEM_UNAVAILABLE').first().waitFor()
    await alert.getByRole('button', { name: t('common.copyRequestId') }).waitFor()
    expect(await page.getByText(t('lab.nothing')).count()).toBe(0)
  })

  it('says that the server is gone when it is gone, and works again when it is back', async () => {
    const { page } = here
    here.tolerate('ERR_CONNECTION_REFUSED', 'ERR_CONNECTION_RESET', 'ERR_EMPTY_RESPONSE')
    await page.goto('/lab')
    await heading(page, t('lab.title')).waitFor()
    await bench.server.stop()
    await ask(here, QUESTION)
    await outcomeOf(page, t('lab.run')).getByText(t('common.unreachable')).waitFor()
    await page.getByRole('alert').getByText('SYSTEM_UNAVAILABLE').waitFor()
    expect(await page.getByText(t('lab.nothing')).count()).toBe(0)
    await bench.startAgain()
    await ask(here, QUESTION)
    await run.getByRole('list').first().waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(here.complaints()).toEqual([])
  })
})
