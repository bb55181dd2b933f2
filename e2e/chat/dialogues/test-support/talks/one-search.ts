import type { Message, Source } from '@oncall-agent/api-contracts'
import { calls } from '@oncall-agent/backend/chat-model-server'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import type { Visit } from '../../../../page/browser.ts'
import { ended, file } from '../../../../service/people.ts'
import {
  askToEnd,
  cardsOf,
  closeDrawer,
  drawerOf,
  focusBy,
  focusedName,
  look,
  markerNumbers,
  openChat,
  openMarker,
  storedAnswer
} from '../acts.ts'
import type { Dialogue } from '../dialogue.ts'
import type { Scene } from '../scene.ts'
import { markerOf, reads } from '../scripted-model.ts'

const words = {
  en: {
    question: 'etcd refuses every write, what is the first step?',
    query: 'etcd database space exceeded',
    found: 'etcdctl defrag',
    marked: 'database space exceeded',
    also: 'crictl rmi --prune',
    place: 'First steps',
    answer: (first: number, second: number) =>
      `Compact the history and defragment one member after the other [${first}]. If the node itself is full, remove images [${second}].`,
    newText:
      '# etcd database space exceeded\n\n## First steps\n\nCall the storage team; nobody compacts by hand any more.\n',
    newPhrase: 'nobody compacts by hand'
  },
  zh: {
    question: 'etcd 拒绝所有写入，第一步做什么？',
    query: 'etcd 数据库空间已满',
    found: 'etcdctl defrag',
    marked: '数据库空间',
    also: 'crictl rmi --prune',
    place: '第一步',
    answer: (first: number, second: number) =>
      `先压缩历史版本，再逐个成员整理碎片 [${first}]。如果是节点磁盘已满，则清理镜像 [${second}]。`,
    newText: '# etcd 数据库空间已满\n\n## 第一步\n\n联系存储组，不再手工压缩。\n',
    newPhrase: '不再手工压缩'
  }
} as const

/** One search, two markers; the drawer by the keyboard alone; and the same citation when the document is another one. */
export const oneSearch: Dialogue = {
  name: 'one search gives an answer with two markers, and each opens at its source by the keyboard alone',
  play: async (scene) => {
    const w = words[scene.locale]
    const here = await scene.enter()
    const { page, texts } = here
    scene.model.script(
      calls([{ name: 'knowledge_retrieval', arguments: { query: w.query } }]),
      reads((asked) => w.answer(markerOf(asked, w.found), markerOf(asked, w.also)))
    )
    await openChat(here)
    const answer = await askToEnd(here, w.question)
    const message = await storedAnswer(scene, here)
    const source = message.sources.find(({ excerpt }) => excerpt.includes(w.found))!
    const other = message.sources.find(({ excerpt }) => excerpt.includes(w.also))!
    expect(await markerNumbers(answer)).toEqual([source.marker, other.marker])
    expectStored(message, w.answer(source.marker, other.marker), [source, other])
    // In the order in which the search gave them.
    const { record } = await scene.ana.api.retrievalRun({ params: { runId: source.runId! } })
    expect(record).toMatchObject({ results: message.sources.map(({ id }) => ({ chunkId: id })) })
    await answer.getByText(texts.counted('chat.toolFound', message.sources.length)).waitFor()
    await look(here, 'chat-two-markers')

    const name = texts.t('chat.marker', { number: source.marker, title: source.title })
    await page.getByLabel(texts.t('chat.question'), { exact: true }).focus()
    await focusBy(page, 'Shift+Tab', name)
    await page.keyboard.press('Enter')
    await drawerOf(here).waitFor()
    await expectDrawer(here, message, source, w)
    await look(here, 'chat-drawer')
    await closeDrawer(here)
    expect(await focusedName(page)).toBe(name)

    await page.keyboard.press('Enter')
    await focusBy(page, 'Tab', texts.t('chat.openAt'))
    await page.keyboard.press('Enter')
    await expectSpan(here, source, w.found)
    await page.goBack()
    await expectOldCitation(scene, here, answer, source)
  }
}

function expectStored(message: Message, content: string, cited: readonly Source[]): void {
  expect(message).toMatchObject({ status: 'completed', mode: 'agent', retrieval: 'found', content, removedMarkers: 0 })
  expect(message.sources.map(({ marker }) => marker)).toEqual([1, 2, 3, 4, 5])
  expect(message.sources.filter((each) => each.cited).map(({ id }) => id)).toEqual(
    cited.toSorted((left, right) => left.marker - right.marker).map(({ id }) => id)
  )
  expect(message.tools).toMatchObject([{ tool: 'knowledge_retrieval', status: 'ok', found: 5 }])
}

/** At most five, the best first, in words that people read. */
async function expectDrawer(
  here: Visit,
  { sources }: Message,
  source: Source,
  w: (typeof words)[Scene['locale']]
): Promise<void> {
  const { t, formats } = here.texts
  const cards = cardsOf(here)
  expect(await cards.count()).toBe(5)
  const best = sources.toSorted((left, right) => right.rerankScore! - left.rerankScore!)
  const shown = await cards.locator('.citation-number').allTextContents()
  expect(shown).toEqual(best.map(({ marker }) => String(marker)))
  const scores: number[] = []
  for (const each of await cards.all()) {
    const { [t('chat.stages.rerank')]: reranked = '' } = await stagesOf(each)
    scores.push(Number(reranked.split(' ')[1]))
  }
  expect(scores).toEqual(scores.toSorted((left, right) => right - left))
  expect(new Set(scores).size).toBeGreaterThan(1)

  const card = cards.nth(shown.indexOf(String(source.marker)))
  expect(await card.getAttribute('aria-current')).toBe('true')
  expect(await card.getByRole('heading').textContent()).toContain(source.title)
  await card.getByText(source.headingPath.join(' › '), { exact: true }).waitFor()
  expect(source.headingPath).toContain(w.place)
  expect((await card.locator('.quoted mark').allTextContents()).join(' ')).toContain(w.marked)
  const stages = await stagesOf(card)
  const { rank, score } = formats
  expect(stages).toMatchObject({
    [t('chat.stages.vector')]: `${rank(source.vectorRank)} ${score(source.vectorScore, 3)}`,
    [t('chat.stages.bm25')]: `${rank(source.bm25Rank)} ${score(source.bm25Score, 2)}`,
    [t('chat.stages.rerank')]: `${rank(source.rerankRank)} ${score(source.rerankScore, 3)}`
  })
  expect(stages[t('chat.stages.rrf')]).toMatch(new RegExp(`^#\\d ${score(source.rrfScore, 4)}$`))
  const text = (await drawerOf(here).textContent()) ?? ''
  expect(text).not.toMatch(/[{}]|"\w+":|rerankScore|headingPath/)
}

async function stagesOf(card: Locator): Promise<Readonly<Record<string, string>>> {
  const rows = card.locator('.stage-scores > div')
  const stages: Record<string, string> = {}
  for (const row of await rows.all()) {
    stages[((await row.locator('dt').textContent()) ?? '').trim()] = (
      (await row.locator('dd').textContent()) ?? ''
    ).trim()
  }
  return stages
}

async function expectSpan({ page }: Visit, source: Source, phrase: string): Promise<void> {
  await page.waitForURL(`**/documents/${encodeURIComponent(source.documentId)}?*`)
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('start'), searchParams.get('end')]).toEqual([String(source.start), String(source.end)])
  const marked = page.locator('mark')
  await marked.first().waitFor()
  expect((await marked.allTextContents()).join('')).toContain(phrase)
}

/** Another version takes the document's place: the old answer still shows what the agent saw. */
async function expectOldCitation(scene: Scene, here: Visit, answer: Locator, source: Source): Promise<void> {
  const w = words[scene.locale]
  const { page, texts } = here
  const { api } = scene.ana
  const files = [file('etcd-no-space.md', w.newText)]
  const { task } = await api.replaceDocument({ params: { id: source.documentId }, form: { index: true }, files })
  expect(await ended(api, task!.id)).toMatchObject({ status: 'succeeded' })
  const drawer = await openMarker(here, answer, source.marker)
  const card = drawer.locator('.citation-here')
  await card.getByText(texts.t('chat.newer', { seen: 1, now: 2 })).waitFor()
  expect(await card.locator('.quoted').textContent()).toContain(w.found)
  expect(await card.textContent()).not.toContain(w.newPhrase)
  await look(here, 'chat-drawer-newer')
  await card.getByRole('link', { name: texts.t('chat.openNow'), exact: true }).click()
  await page
    .getByRole('region', { name: texts.t('document.text'), exact: true })
    .getByText(w.newPhrase)
    .waitFor()
}
