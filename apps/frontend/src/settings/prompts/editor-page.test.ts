import { afterEach, describe, expect, test, vi } from 'vitest'
import { addVersion } from '../../../dev/mock-prompts.ts'
import { useSession } from '../../session/session-store.ts'
import { mountPage, type Mounted, settle, unmountAll } from '../../test-material/mount-page.ts'
import EditorPage from './editor-page.vue'
import NewPromptPage from './new-prompt-page.vue'
import { useDrafts } from './drafts-store.ts'

afterEach(() => {
  unmountAll()
  vi.restoreAllMocks()
})

async function edit(promptId = 'skill-disk-full', prepare?: (state: Mounted['state']) => void) {
  const place = promptId.startsWith('skill') ? 'skills' : 'prompts'
  return mountPage(EditorPage, {
    props: { place, promptId },
    path: `/settings/${place}/${promptId}`,
    ...(prepare === undefined ? {} : { prepare })
  })
}
const area = ({ page }: Mounted) => page.find<HTMLTextAreaElement>('textarea')
const versionsOf = ({ state }: Mounted, id = 'skill-disk-full') =>
  state.prompts.find((each) => each.id === id)?.versions
async function save({ page }: Mounted): Promise<void> {
  await page.find('form').trigger('submit')
  await settle()
}
async function press({ page }: Mounted, name: string): Promise<void> {
  const button = page.findAll('button').find((each) => each.text() === name || each.attributes('aria-label') === name)
  expect(button, name).toBeDefined()
  await button!.trigger('click')
  await settle()
}

/** Whether the browser may close the page without a question. */
const leave = (): boolean => dispatchEvent(new Event('beforeunload', { cancelable: true }))

describe('the editor', () => {
  test('saves a new version, and nothing while nothing changed', async () => {
    const mounted = await edit()
    expect(mounted.page.find('form .button-main').attributes('disabled')).toBeDefined()
    await area(mounted).setValue('# New\n')
    expect(mounted.page.text()).toContain('Not saved')
    await save(mounted)
    expect(versionsOf(mounted)?.[0]).toMatchObject({ version: 5, content: '# New\n' })
    expect(mounted.page.text()).not.toContain('Not saved')
    expect(mounted.page.find('.version-row').text()).toMatch(/Version 5\s*Current/)
  })

  test('keeps what was written when saving fails', async () => {
    const mounted = await edit('skill-disk-full', (state) => void state.broken.add('changeSkill'))
    await area(mounted).setValue('long work')
    await save(mounted)
    expect(mounted.page.find('form [role=alert]').text()).toContain('It was not saved. Your text is still here.')
    expect(area(mounted).element.value).toBe('long work')
    mounted.state.broken.clear()
    await save(mounted)
    expect(versionsOf(mounted)?.[0]?.content).toBe('long work')
  })

  test('refuses what the server would refuse before it does', async () => {
    const mounted = await edit()
    const button = () => mounted.page.find('form .button-main').attributes('disabled')
    await area(mounted).setValue('  \n')
    expect(button()).toBeDefined()
    await area(mounted).setValue('x'.repeat(64_001))
    expect(button()).toBeDefined()
    expect(mounted.page.find('.hint-bad').text()).toContain('64,001 of 64,000 characters')
    await area(mounted).setValue('x')
    expect(button()).toBeUndefined()
  })

  test('asks before unsaved text is left, and stays or leaves as it is told', async () => {
    const mounted = await edit()
    await area(mounted).setValue('unsaved')
    void mounted.router.push('/settings/skills')
    await settle()
    expect(mounted.page.find('dialog').text()).toContain('Leave without saving?')
    await press(mounted, 'Cancel')
    expect(mounted.router.currentRoute.value.path).toBe('/settings/skills/skill-disk-full')
    expect(area(mounted).element.value).toBe('unsaved')
    void mounted.router.push('/settings/skills')
    await settle()
    await mounted.page.find('dialog form').trigger('submit')
    await settle()
    expect(mounted.router.currentRoute.value.path).toBe('/settings/skills')
    expect(useDrafts().of('skills', 'skill-disk-full')).toBeUndefined()
  })

  test('asks the browser to ask before the page is closed, only with unsaved text', async () => {
    const mounted = await edit()
    expect(leave()).toBe(true)
    await area(mounted).setValue('unsaved')
    expect(leave()).toBe(false)
    unmountAll()
    expect(leave()).toBe(true)
  })

  test('what was unsaved when the session ended is there again for the same person, and for nobody else', async () => {
    const mounted = await edit()
    await useSession().load()
    await area(mounted).setValue('before the end')
    const drafts = useDrafts()
    const owner = useSession().user
    useSession().user = mounted.state.users[1]!
    expect(drafts.of('skills', 'skill-disk-full')).toBeUndefined()
    useSession().user = owner
    expect(drafts.of('skills', 'skill-disk-full')).toMatchObject({ content: 'before the end', baseVersion: 4 })
  })
})

async function conflict() {
  const mounted = await edit()
  await area(mounted).setValue('line of mine\n')
  addVersion(mounted.state, 'skill-disk-full', { description: 'theirs', content: 'line of theirs\n' })
  await save(mounted)
  return mounted
}

describe('a newer version of somebody else', () => {
  test('is shown beside the own text, and nothing is saved before a choice', async () => {
    const mounted = await conflict()
    const note = mounted.page.find('section[role=alert]')
    expect(note.text()).toContain('A newer version 5 was saved meanwhile')
    expect(note.find('.difference-removed').exists()).toBe(true)
    expect(note.findAll('ins').map((line) => line.text())).toContain('Added:+line of mine')
    expect(note.findAll('del').map((line) => line.text())).toContain('Removed:−line of theirs')
    expect(area(mounted).element.value).toBe('line of mine\n')
    expect(mounted.page.find('form .button-main').attributes('disabled')).toBeDefined()
    expect(versionsOf(mounted)).toHaveLength(5)
  })

  test('is followed by the own one when that is chosen', async () => {
    const mounted = await conflict()
    await press(mounted, 'Save mine as version 6')
    expect(
      versionsOf(mounted)
        ?.slice(0, 2)
        .map(({ content }) => content)
    ).toEqual(['line of mine\n', 'line of theirs\n'])
    expect(mounted.page.find('section[role=alert]').exists()).toBe(false)
  })

  test('takes the place of the own one, which can be put back', async () => {
    const mounted = await conflict()
    await press(mounted, 'Take the newer one')
    expect(area(mounted).element.value).toBe('line of theirs\n')
    await press(mounted, 'Put it back')
    expect(area(mounted).element.value).toBe('line of mine\n')
    await save(mounted)
    expect(versionsOf(mounted)?.[0]).toMatchObject({ version: 6, content: 'line of mine\n' })
  })

  test('a third version while one decides is a conflict again', async () => {
    const mounted = await conflict()
    addVersion(mounted.state, 'skill-disk-full', { description: 'theirs', content: 'a third\n' })
    await press(mounted, 'Save mine as version 6')
    expect(mounted.page.find('section[role=alert]').text()).toContain('A newer version 6 was saved meanwhile')
    expect(area(mounted).element.value).toBe('line of mine\n')
  })

  test('what was deleted meanwhile leaves the text here, to be made anew', async () => {
    const mounted = await edit()
    await area(mounted).setValue('mine')
    mounted.state.prompts.splice(0)
    await save(mounted)
    expect(mounted.page.find('form [role=alert]').text()).toContain('It was deleted meanwhile.')
    await press(mounted, 'Make a new one of it')
    expect(mounted.router.currentRoute.value.path).toBe('/settings/skills/new')
    expect(useDrafts().of('skills', null)).toMatchObject({ name: 'disk-full', content: 'mine' })
  })
})

describe('versions', () => {
  test('are compared with the current one, text as text', async () => {
    const mounted = await edit()
    await press(mounted, 'Compare with the current one: Version 3')
    const lines = mounted.page.findAll('.version-difference .difference-line').map((line) => line.text())
    expect(lines).toContain('Removed:−5. Delete old logs.')
    expect(lines).toContain('Added:+5. Ask before anything is deleted.')
    expect(mounted.page.find('.difference-left').text()).toMatch(/unchanged line/)
    await press(mounted, 'Compare with the current one: Version 1')
    expect(mounted.page.find('.version-difference').text()).toContain('<script>alert(1)</script>')
    expect(mounted.page.find('.version-difference script').exists()).toBe(false)
  })

  test('are used again as a new version', async () => {
    const mounted = await edit()
    await press(mounted, 'Use again: Version 3')
    const [newest] = versionsOf(mounted)!
    expect(newest).toMatchObject({
      version: 5,
      content: versionsOf(mounted)!.find(({ version }) => version === 3)!.content
    })
    expect(area(mounted).element.value).toBe(newest!.content)
  })

  test('are not used again over unsaved text', async () => {
    const mounted = await edit()
    await area(mounted).setValue('unsaved')
    expect(mounted.page.find('button[aria-label="Use again: Version 3"]').attributes('disabled')).toBeDefined()
    expect(mounted.page.text()).toContain('Save or discard your changes before')
  })
})

describe('what the product brings along', () => {
  test('cannot be deleted, and is changed by an own version in its place', async () => {
    const mounted = await edit('builtin-answer')
    expect(mounted.page.text()).toContain('This is the built-in text.')
    expect(mounted.page.text()).not.toContain('Bring back')
    await area(mounted).setValue('own text')
    await save(mounted)
    expect(versionsOf(mounted, 'prompt-answer')?.map(({ version }) => version)).toEqual([1, 0])
    // The own one has an address of its own; the page goes there without a question.
    expect(mounted.router.currentRoute.value.path).toBe('/settings/prompts/prompt-answer')
    expect(mounted.page.find('dialog').exists()).toBe(false)
    await area(mounted).setValue('second own text')
    await save(mounted)
    expect(versionsOf(mounted, 'prompt-answer')?.map(({ version }) => version)).toEqual([2, 1, 0])
  })

  test('and was replaced meanwhile is a conflict with the own one, whose id is another', async () => {
    const mounted = await edit('builtin-answer')
    await area(mounted).setValue('mine')
    addVersion(mounted.state, 'prompt-answer', { description: '', content: 'theirs' })
    await save(mounted)
    expect(mounted.page.find('section[role=alert]').text()).toContain('A newer version 1 was saved meanwhile')
    await press(mounted, 'Save mine as version 2')
    expect(
      versionsOf(mounted, 'prompt-answer')
        ?.map(({ content }) => content)
        .slice(0, 2)
    ).toEqual(['mine', 'theirs'])
    expect(mounted.router.currentRoute.value.path).toBe('/settings/prompts/prompt-answer')
  })

  test('is brought back after a question', async () => {
    const mounted = await edit('prompt-diagnosis')
    await press(mounted, 'Bring back the built-in')
    await mounted.page.find('dialog form').trigger('submit')
    await settle()
    expect(versionsOf(mounted, 'prompt-diagnosis')?.map(({ version }) => version)).toEqual([0])
    expect(mounted.router.currentRoute.value.path).toBe('/settings/prompts')
  })
})

test('one file is saved with its front matter', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:test')
  await press(await edit(), 'Export')
  expect(await (saved.mock.calls[0]![0] as Blob).text()).toMatch(/^---\nname: disk-full\n/)
})

const make = (): Promise<Mounted> =>
  mountPage(NewPromptPage, { props: { place: 'skills' }, path: '/settings/skills/new' })

describe('a new one', () => {
  test('is told the rule of names while it is named', async () => {
    const mounted = await make()
    await mounted.page.find('input').setValue('Disk Full')
    expect(mounted.page.find('.hint-bad').text()).toContain('Only small letters a–z')
    await mounted.page.find('input').setValue('disk-2')
    expect(mounted.page.find('.hint-bad').exists()).toBe(false)
  })

  test('is created, and a name that is taken keeps the text', async () => {
    const mounted = await make()
    await mounted.page.find('input').setValue('disk-full')
    await area(mounted).setValue('steps')
    await save(mounted)
    expect(mounted.page.find('[role=alert]').text()).toContain('This name is taken.')
    expect(area(mounted).element.value).toBe('steps')
    await mounted.page.find('input').setValue('disk-full-2')
    await save(mounted)
    expect(mounted.state.prompts[0]).toMatchObject({ name: 'disk-full-2', kind: 'skill' })
    expect(mounted.router.currentRoute.value.path).toBe(`/settings/skills/${mounted.state.prompts[0]!.id}`)
  })
})
