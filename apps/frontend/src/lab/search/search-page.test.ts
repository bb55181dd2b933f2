import { afterEach, describe, expect, test } from 'vitest'
import { users } from '../../../dev/samples.ts'
import { useSession } from '../../session/session-store.ts'
import { type Mounted, mountPage, type MountWish, settle, unmountAll } from '../../test-material/mount-page.ts'
import { useAnswers } from './answers-store.ts'
import SearchPage from './search-page.vue'
import { wishIn } from './wish-address.ts'

afterEach(unmountAll)

const SEARCH = 'POST /api/v1/search'
const FEEDBACK = 'POST /api/v1/search/feedback'
const open = (query: string, wish: MountWish = {}): Promise<Mounted> =>
  mountPage(SearchPage, { path: `/lab/search${query}`, ...wish })
async function press({ page }: Pick<Mounted, 'page'>, text: string): Promise<void> {
  await page
    .findAll('button')
    .find((button) => button.text().includes(text))!
    .trigger('click')
  await settle()
}
/** Presses both verdicts of the first hit, the second before the first is answered. */
async function pressBoth({ page }: Mounted): Promise<void> {
  for (const button of page.findAll('.hit')[0]!.findAll('[aria-pressed]')) void button.trigger('click')
  await settle()
}
const searches = ({ calls }: Mounted): number => calls.filter((call) => call === SEARCH).length

describe('structured search', () => {
  test('asks nothing before it is asked, and keeps what is asked in the address', async () => {
    const search = await open('')
    expect([searches(search), search.page.find('article').exists()]).toEqual([0, false])
    const [keywords] = search.page.findAll('form input')
    await keywords!.setValue('E_CONN_RESET "pay gateway"')
    await search.page.find('textarea').setValue('it fails')
    await search.page.find('form').trigger('submit')
    await settle()
    const query = { keywords: ['E_CONN_RESET', 'pay gateway'], query_text: 'it fails', mode: 'auto' }
    expect(search.router.currentRoute.value.query).toEqual(query)
    expect(search.page.findAll('.hit')).toHaveLength(6)
    expect(search.page.find('.hit mark').text()).toBe('E_CONN_RESET')
  })

  test('a link shows the search of whoever gave it, with its fields filled in', async () => {
    const search = await open('?keywords=a%20b&error_codes=E1&error_codes=ORA%20600&size=37&mode=loose')
    const values = search.page.findAll('form input').map((input) => (input.element as HTMLInputElement).value)
    expect(values).toEqual(expect.arrayContaining(['"a b"', 'E1 "ORA 600"']))
    const [mode, size] = search.page.findAll('form select').map((each) => (each.element as HTMLSelectElement).value)
    expect([mode, size]).toEqual(['loose', '37'])
  })

  test('shows the score as the sum that it is', async () => {
    const { page } = await open('?keywords=x')
    expect(page.find('.hit .scores').text()).toMatch(
      /Score\s*5\.700\s*Keywords \(BM25\)\s*0\.50 × 9\.500 = 4\.750\s*Meaning \(cosine \+ 1\)\s*0\.50 × 1\.900 = 0\.950/
    )
  })

  test.each([
    ['en', 'Nothing matches completely. The following is related.'],
    ['zh', '没有完全匹配的知识，以下为相关参考，仅供参考。']
  ] as const)('shows the banner of the server word for word, in %s', async (locale, banner) => {
    const { page } = await open('?keywords=loose_hit', { locale })
    expect(page.find('.banner').text()).toBe(banner)
    expect(page.find('article').text()).toContain('loose_hit')
  })

  test('turns pages, counts ranks on, and goes back without asking twice', async () => {
    const search = await open('?keywords=loose_hit')
    await press(search, 'Next')
    expect(search.page.find('.hit h3').text()).toContain('#11')
    expect(search.router.currentRoute.value.query).toMatchObject({ from: '10' })
    search.router.back()
    await settle()
    expect(search.page.find('.hit h3').text()).toContain('#1')
    expect(searches(search)).toBe(2)
  })

  test('a page behind the last says so and leads back', async () => {
    const search = await open('?keywords=loose_hit&from=500')
    await press(search, 'To the first page')
    expect(search.page.findAll('.hit')).toHaveLength(10)
  })

  test('too many are told by field, say what lies beyond, and a click narrows', async () => {
    const search = await open('?keywords=too_many')
    const facets = search.page.find('.facets').text()
    expect(facets).toMatch(/payments\s*30.*pay-gateway\s*21.*E_CONN_RESET\s*17.*occur 34 more times/s)
    expect(search.page.find('.hit').exists()).toBe(false)
    await press(search, 'ORA 600, again')
    expect(search.router.currentRoute.value.query).toMatchObject({ error_codes: ['ORA 600, again'] })
    expect(search.page.findAll('.hit')).toHaveLength(6)
  })

  test('too many can be listed all the same', async () => {
    const search = await open('?keywords=too_many')
    await press(search, 'List all 41 documents')
    expect(search.router.currentRoute.value.query).toMatchObject({ strict_max_hits: '41', size: '50' })
  })

  test('nothing found says what to let go of, and does it', async () => {
    const search = await open('?keywords=no_hit&project=payments')
    expect(search.page.find('.no-hit').text()).toMatch(/Nothing was found\..*Without project “payments”/s)
    expect(search.page.find('.ladder').text()).toMatch(/Skipped.*Not run: there is no sentence\./s)
    await press(search, 'Without project')
    expect(search.router.currentRoute.value.query.project).toBeUndefined()
  })

  test('a failure is one, with code and id, and can be tried again', async () => {
    const search = await open('?keywords=fail')
    expect(search.page.find('[role=alert]').text()).toMatch(/The search failed\..*SYSTEM_UNAVAILABLE.*req-/s)
    expect(search.page.text()).not.toContain('Nothing was found')
    await press(search, 'Try again')
    expect(searches(search)).toBe(2)
  })

  test('a value that the server refuses is told in its words, and is no failure of the search', async () => {
    const { page } = await open('?knowledge_type=none')
    expect(page.find('[role=alert]').text()).toContain('knowledge_type must be one of alarm, setup, experience')
    expect(page.text()).not.toContain('The search failed')
  })

  test('puts two answers side by side, and its address shows both', async () => {
    const search = await open('?keywords=x&mode=auto')
    await press(search, 'Keep for comparison')
    const weight = search.page.findAll('input[type=number]')[3]!
    await weight.setValue('1')
    await search.page.find('form').trigger('submit')
    await settle()
    const { query, fullPath } = search.router.currentRoute.value
    expect(query).toMatchObject({ vector_weight: '1', with: 'keywords=x&mode=auto' })
    const comparison = search.page.find('section.panel')
    expect(comparison.text()).toMatch(/Weight of meaning\s*0\.5\s*1/)
    expect(comparison.findAll('.scroll tbody tr').map((row) => row.findAll('td')[2]!.text())).toContain('↑ 4')
    unmountAll()
    const again = await mountPage(SearchPage, { path: fullPath })
    expect(again.page.findAll('section.panel .scroll tbody tr')).toHaveLength(6)
  })

  test('a log line that is pasted as keywords becomes the sentence, and can be put back', async () => {
    const { page } = await open('')
    const [keywords] = page.findAll('form input')
    const paste = new Event('paste', { bubbles: true, cancelable: true })
    Object.assign(paste, { clipboardData: { getData: () => '2026-11-30 12:00:01 ERROR  pool exhausted' } })
    keywords!.element.dispatchEvent(paste)
    await settle()
    const sentence = page.find('textarea').element as HTMLTextAreaElement
    expect([paste.defaultPrevented, sentence.value]).toEqual([true, '2026-11-30 12:00:01 ERROR  pool exhausted'])
    await press({ page }, 'Use it as keywords')
    expect(sentence.value).toBe('')
    expect((keywords!.element as HTMLInputElement).value).toBe('2026-11-30 12:00:01 ERROR pool exhausted')
  })
})

describe('what is said of a hit', () => {
  test('is saved with its note, and the other button changes it', async () => {
    const search = await open('?keywords=x')
    const pressed = () =>
      search.page
        .findAll('.hit')[0]!
        .findAll('[aria-pressed]')
        .map((each) => each.attributes('aria-pressed'))
    await press(search, 'Helped')
    expect(pressed()).toEqual(['true', 'false'])
    await search.page.find('.verdict-note input').setValue(' it worked ')
    await search.page.find('.verdict-note').trigger('submit')
    await settle()
    await press(search, 'Did not help')
    expect(pressed()).toEqual(['false', 'true'])
    expect([...search.state.searches.feedback.values()]).toMatchObject([{ verdict: 'down', note: 'it worked' }])
  })

  test('is what was pressed last, also when it was pressed before the first was saved', async () => {
    const search = await open('?keywords=x')
    await pressBoth(search)
    expect(search.calls.filter((call) => call === FEEDBACK)).toHaveLength(2)
    expect([...search.state.searches.feedback.values()]).toMatchObject([{ verdict: 'down' }])
    expect(search.page.find('[aria-pressed=true]').text()).toBe('Did not help')
    expect(search.page.find('.verdict [role=status]').text()).toContain('Saved')
  })

  test('a failure of what nobody wants any more is not told; one of the last is, and trying again saves the last', async () => {
    const search = await open('?keywords=x', { prepare: ({ broken }) => void broken.add('giveSearchFeedback') })
    await pressBoth(search)
    expect(search.calls.filter((call) => call === FEEDBACK)).toHaveLength(2)
    expect(search.page.findAll('.verdict [role=alert]')).toHaveLength(1)
    search.state.broken.clear()
    await press(search, 'Try again')
    expect([...search.state.searches.feedback.values()]).toMatchObject([{ verdict: 'down' }])
    expect(search.page.find('.verdict [role=alert]').exists()).toBe(false)
  })

  test('a failure to save it says so, and is not shown as saved', async () => {
    const search = await open('?keywords=x', { prepare: ({ broken }) => void broken.add('giveSearchFeedback') })
    await press(search, 'Helped')
    expect(search.page.find('.verdict [role=alert]').text()).toMatch(/could not be saved.*SYSTEM_UNAVAILABLE/s)
    expect(search.page.find('[aria-pressed=true]').exists()).toBe(false)
  })

  test('cannot be said where the search was not stored, and that is told', async () => {
    const { page } = await open('?keywords=unstored')
    expect(page.find('.hit').text()).toContain('its documents cannot be judged')
    expect(page.find('[aria-pressed]').exists()).toBe(false)
  })

  test('is summed up, and anew when more is said', async () => {
    const search = await open('?keywords=x')
    const details = search.page.find('details.panel')
    const element = details.element as HTMLDetailsElement
    element.open = true
    await details.trigger('toggle')
    await settle()
    expect(details.text()).toContain('0 of 1 search was judged')
    await press(search, 'Helped')
    expect(details.text()).toMatch(/1 of 1 search was judged.*Matches everything\s*strict_hit.*连接被重置/s)
  })

  test.each([
    ['en', 'Deleted, or not yours to read'],
    ['zh', '已删除或您无权阅读的文档']
  ] as const)('a document without a title may be gone or closed to the reader, in %s', async (locale, words) => {
    const search = await open('?keywords=x', { locale })
    for (const hit of search.page.findAll('.hit').slice(0, 2)) await hit.find('[aria-pressed]').trigger('click')
    const details = search.page.find('details.panel')
    Object.assign(details.element, { open: true })
    await details.trigger('toggle')
    await settle()
    const [, row] = details.findAll('tbody').at(-1)!.findAll('tr')
    expect(row!.text()).toContain(words)
    expect(row!.find('a').exists()).toBe(false)
  })
})

test('somebody else who signs in finds nothing of what was searched', async () => {
  const { page, router } = await open('?keywords=x')
  await press({ page }, 'Helped')
  const wish = wishIn(router.currentRoute.value.query)!
  const { search_id: searchId, hits } = useAnswers().of(wish)!.response
  expect(useAnswers().verdictOf(searchId!, hits[0]!.document_id)?.verdict).toBe('up')
  useSession().user = users[1]!
  await settle()
  const { of, verdictOf, place, projects } = useAnswers()
  expect([of(wish), verdictOf(searchId!, hits[0]!.document_id), place, projects]).toEqual([
    undefined,
    undefined,
    {},
    []
  ])
})

test('settings that were asked for are not taken for the server’s own', async () => {
  const { page } = await open('?keywords=x&vector_weight=0.9')
  const placeholders = page.findAll('input[type=number]').map((input) => input.attributes('placeholder'))
  expect(placeholders).toEqual(['8', '3', '50', 'the server’s own', '0.6'])
})

test('markup of documents stays text', async () => {
  const { page } = await open('?keywords=x')
  expect(page.find('.hit h3').text()).toContain('<b>')
  expect(page.find('.hit b').exists()).toBe(false)
})
