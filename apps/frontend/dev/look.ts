import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import AxeBuilderSource from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { noChatModel } from './mock-models.ts'
import { addVersion } from './mock-prompts.ts'
import { mockState, type MockState, type Scene } from './mock-state.ts'
import { serveMock } from './serve-mock.ts'

/**
 * Takes pictures of every room in both languages, both palettes and two widths, and lets axe look at each.
 * Usage: node dev/look.ts OUTPUT_FOLDER [part of a picture's name]
 */
const [folder = 'pictures', only = ''] = process.argv.slice(2)
const widths = [1280, 380] as const

interface Shot {
  readonly name: string
  readonly path: string
  readonly scene?: Scene
  readonly prepare?: (state: MockState) => void
  readonly act?: (page: Page) => Promise<void>
}

const ask =
  (question: string) =>
  async (page: Page): Promise<void> => {
    await page.locator('textarea').fill(question)
    await page.locator('form .button-main').click()
    await page.locator('.run, [role=alert]').first().waitFor()
  }

const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('text') })

/** The server's own state, for what somebody else does while a page is open. */
const aside: { state: MockState | null } = { state: null }

const shots: readonly Shot[] = [
  { name: 'first', path: '/', scene: 'first' },
  { name: 'sign-in', path: '/', scene: 'out' },
  { name: 'bases', path: '/knowledge' },
  {
    name: 'bases-delete',
    path: '/knowledge/kb-own',
    act: async (page) => {
      await page.locator('.page-head .button-danger-quiet').click()
      await page.locator('dialog').waitFor()
    }
  },
  { name: 'bases-failed', path: '/knowledge', prepare: (state) => void state.broken.add('knowledgeBases') },
  { name: 'documents', path: '/knowledge/kb-own' },
  {
    name: 'upload',
    path: '/knowledge/kb-own',
    act: async (page) => {
      await page
        .locator('[data-test=files]')
        .setInputFiles([file('new.md'), file('连接被重置.md'), file('picture.gif')])
      await page.locator('.upload-row .failure').nth(1).waitFor()
      await page.waitForTimeout(3_000)
    }
  },
  { name: 'folder', path: '/knowledge/kb-folder' },
  { name: 'tasks', path: '/knowledge/kb-own/tasks' },
  { name: 'readers', path: '/knowledge/kb-own/readers' },
  { name: 'document', path: '/documents/kb-own-doc-1?chunk=kb-own-doc-1%230003' },
  { name: 'lab', path: '/lab', act: ask('E_CONN_RESET 怎么恢复？') },
  {
    name: 'lab-compare',
    path: '/lab',
    act: async (page) => {
      await ask('E_CONN_RESET 怎么恢复？')(page)
      await page.locator('.run-head > .button').click()
      await page.locator('form select').selectOption('3')
      await ask('restart pay-gateway')(page)
      await page.locator('section.panel .table').first().waitFor()
    }
  },
  { name: 'lab-failed', path: '/lab', act: ask('please fail') },
  { name: 'lab-nothing', path: '/lab', act: ask('nothing at all') },
  { name: 'search', path: '/lab/search' },
  ...(['strict_hit', 'too_many', 'loose_hit', 'vector_only', 'no_hit', 'fail'] as const).map((word) => ({
    name: `search-${word}`,
    path: `/lab/search?keywords=${word}&keywords=E_CONN_RESET&project=payments&mode=auto`
  })),
  {
    name: 'search-compare',
    path: '/lab/search?keywords=E_CONN_RESET&mode=auto&vector_weight=1&with=keywords%3DE_CONN_RESET%26mode%3Dauto'
  },
  { name: 'system', path: '/system' },
  { name: 'system-denied', path: '/system', prepare: (state) => void (state.me = state.users[1]!) },
  { name: 'settings', path: '/settings' },
  { name: 'settings-people', path: '/settings/people' },
  {
    name: 'settings-models',
    path: '/settings/models',
    act: async (page) => {
      for (const index of [0, 2])
        await page
          .getByRole('button', { name: /^(Test now|立即测试)/ })
          .nth(index)
          .click()
      await page.locator('.badge-bad').waitFor()
    }
  },
  {
    name: 'settings-models-none',
    path: '/settings/models',
    prepare: (state) => void (state.models = [noChatModel, ...state.models.slice(1)])
  },
  { name: 'settings-prompts', path: '/settings/prompts' },
  { name: 'settings-skills-none', path: '/settings/skills', prepare: (state) => void state.prompts.splice(0) },
  { name: 'settings-skills-failed', path: '/settings/skills', prepare: (state) => void state.broken.add('skills') },
  {
    name: 'settings-skill-versions',
    path: '/settings/skills/skill-disk-full',
    act: async (page) => {
      await page.locator('.version-row button').nth(2).click()
      await page.locator('.difference').waitFor()
    }
  },
  {
    name: 'settings-skill-conflict',
    path: '/settings/skills/skill-disk-full',
    prepare: (state) => void (aside.state = state),
    act: async (page) => {
      await page.locator('textarea').fill('# Disk full\n\n1. Mine: look first.\n2. Then ask.\n')
      addVersion(aside.state!, 'skill-disk-full', { description: 'Disk full', content: '# Disk full\n\n1. Theirs.\n' })
      await page.locator('form .button-main').click()
      await page.locator('.difference').first().waitFor()
    }
  },
  {
    name: 'settings-skill-leave',
    path: '/settings/skills/skill-switch-primary',
    act: async (page) => {
      await page.locator('textarea').fill('unsaved')
      await page.locator('.back').click()
      await page.locator('dialog').waitFor()
    }
  },
  {
    name: 'settings-skill-new',
    path: '/settings/skills/new',
    act: async (page) => page.locator('form input').first().fill('Disk Full')
  },
  {
    name: 'settings-prompts-import',
    path: '/settings/prompts',
    act: async (page) => {
      await page.locator('.page-head .button').first().click()
      await page.locator('dialog input').setInputFiles([file('a-very-long-name-of-a-runbook.md'), file('notes.txt')])
      await page.locator('dialog .failure').waitFor()
      await page.locator('dialog li button').nth(1).click()
      await page.locator('dialog .button-main').click()
      await page.locator('dialog [role=alert]').waitFor()
    }
  },
  {
    name: 'settings-key',
    path: '/settings',
    act: async (page) => {
      await page.locator('section').nth(1).locator('.actions .button').click()
      await page.locator('dialog input').first().fill('nightly report')
      await page.locator('dialog .button-main').click()
      await page.locator('.secret').waitFor()
    }
  }
]

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  for (const shot of shots.filter(({ name }) => name.includes(only))) await look(browser, shot)
} finally {
  await browser.close()
}

async function look(from: Browser, shot: Shot): Promise<void> {
  for (const width of widths) {
    for (const [locale, theme] of [
      ['zh', 'dark'],
      ['en', 'light']
    ] as const) {
      const state = mockState(shot.scene ?? 'in')
      shot.prepare?.(state)
      const server = await serveMock(state, 0)
      const context = await from.newContext({
        viewport: { width, height: 800 },
        locale: locale === 'zh' ? 'zh-CN' : 'en-GB',
        colorScheme: theme
      })
      const page = await context.newPage()
      page.on('console', (message) => {
        if (/Content Security Policy|\[Vue warn\]/.test(message.text()))
          console.error(`${shot.name}: ${message.text()}`)
      })
      page.on('pageerror', (error) => console.error(`${shot.name}: ${error.message}`))
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${shot.path}`)
      await page.waitForTimeout(500)
      await shot.act?.(page)
      await page.waitForTimeout(200)
      const name = `${shot.name}-${locale}-${theme}-${width}`
      await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
      await report(page, name)
      await context.close()
      server.closeAllConnections()
      server.close()
    }
  }
}

async function report(page: Page, name: string): Promise<void> {
  await page.evaluate(AxeBuilderSource.source)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof AxeBuilderSource }
    const { violations: found } = await axe.run()
    return found.map(
      ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`
    )
  })
  const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  for (const violation of violations) console.log(`${name}: ${violation}`)
  if (Number(wide) > 0) console.log(`${name}: ${String(wide)} px wider than the window`)
}
