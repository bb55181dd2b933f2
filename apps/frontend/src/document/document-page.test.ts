import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleChunks, sampleText } from '../../dev/samples.ts'
import { mountPage, settle, unmountAll } from '../test-material/mount-page.ts'
import DocumentPage from './document-page.vue'

beforeEach(() => void vi.spyOn(document, 'hidden', 'get').mockReturnValue(true))
afterEach(() => {
  unmountAll()
  vi.restoreAllMocks()
})

const documentId = 'kb-own-doc-1'
const [first] = sampleChunks(documentId)

describe('a document', () => {
  test('shows its attributes, warnings, versions and tasks', async () => {
    const { page } = await mountPage(DocumentPage, { props: { documentId } })
    expect(page.find('.note-warn').text()).toMatch(/^Some of it could not be read.*Page 3 has no text/)
    expect(page.find('.facts').text()).toMatch(
      /KubePodCrashLooping\.md.*Indexed version\s*1.*runbook.*payments.*E_CONN_RESET, E1042/s
    )
    expect(page.findAll('.table tbody tr').length).toBeGreaterThan(0)
  })

  test('shows its whole text as text, markup and all', async () => {
    const { page } = await mountPage(DocumentPage, { props: { documentId } })
    expect(page.find('.doc-text').element.textContent).toBe(sampleText)
    expect(page.find('.doc-text img, .doc-text script').exists()).toBe(false)
  })

  test('marks the span of the chunk that is chosen, and lets it go again', async () => {
    const { page } = await mountPage(DocumentPage, { props: { documentId } })
    const button = page.find('.chunk')
    await button.trigger('click')
    await settle()
    const marked = page.findAll('.doc-text mark').map((mark) => mark.element.textContent)
    expect(marked.join('')).toBe(sampleText.slice(first!.start, first!.end))
    expect(button.attributes('aria-pressed')).toBe('true')
    await button.trigger('click')
    expect(page.find('.doc-text mark').exists()).toBe(false)
  })

  test('opens at the chunk that the address names', async () => {
    const path = `/documents/${documentId}?chunk=${encodeURIComponent(`${documentId}#0003`)}`
    const { page } = await mountPage(DocumentPage, { props: { documentId }, path })
    expect(page.find('.chunk[aria-pressed=true]').text()).toContain('恢复 E_CONN_RESET')
    expect(page.find('.doc-text').text()).toContain('重启 pay-gateway')
  })

  test('marks the part that the address names, wherever its chunks end, until a chunk is chosen', async () => {
    const [start, end] = [20, first!.end + 30]
    const path = `/documents/${documentId}?start=${start}&end=${end}`
    const { page } = await mountPage(DocumentPage, { props: { documentId }, path })
    const marked = (): string =>
      page
        .findAll('.doc-text mark')
        .map((mark) => mark.element.textContent)
        .join('')
    expect(marked()).toBe(sampleText.slice(start, end))
    await page.find('.chunk').trigger('click')
    await settle()
    expect(marked()).toBe(sampleText.slice(first!.start, first!.end))
  })

  test('that was never indexed says so instead of an empty text', async () => {
    const { page, calls } = await mountPage(DocumentPage, { props: { documentId: 'kb-own-doc-3' } })
    expect(page.text()).toContain('Its text and chunks are shown once it is indexed.')
    expect(calls.some((call) => call.endsWith('/text'))).toBe(false)
  })

  test('whose text cannot be had still shows its chunks', async () => {
    const { page } = await mountPage(DocumentPage, {
      props: { documentId },
      prepare: (state) => void state.broken.add('documentText')
    })
    expect(page.find('.reader-text [role=alert]').text()).toContain('SYSTEM_UNAVAILABLE')
    expect(page.findAll('.chunk')).toHaveLength(6)
  })

  test('of a folder can be downloaded, not changed', async () => {
    const { page } = await mountPage(DocumentPage, { props: { documentId: 'kb-folder-doc-0' } })
    expect(page.findAll('.page-head .actions button').map((button) => button.text())).toEqual(['Download'])
  })

  test('is downloaded under its own name', async () => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const { page } = await mountPage(DocumentPage, { props: { documentId } })
    await page.find('.page-head .actions button').trigger('click')
    await settle()
    expect(saved).toEqual(['KubePodCrashLooping.md'])
  })

  test('that was deleted elsewhere keeps neither facts nor buttons beneath the error', async () => {
    const { page, state } = await mountPage(DocumentPage, { props: { documentId } })
    expect(page.find('.facts').exists()).toBe(true)
    state.documents.delete(documentId)
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await settle()
    expect(page.find('[role=alert]').text()).toContain('It does not exist.')
    expect([page.find('.facts').exists(), page.find('.reader').exists()]).toEqual([false, false])
    expect(page.findAll('button').every((button) => button.element.closest('[role=alert]') !== null)).toBe(true)
  })

  test('is deleted after a question, and its knowledge base is shown', async () => {
    const { page, state, router } = await mountPage(DocumentPage, { props: { documentId } })
    await page.find('.page-head .button-danger-quiet').trigger('click')
    await page.find('dialog form').trigger('submit')
    await settle()
    expect(state.documents.has(documentId)).toBe(false)
    expect(router.currentRoute.value.path).toBe('/knowledge/kb-own')
  })
})
