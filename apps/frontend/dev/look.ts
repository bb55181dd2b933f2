import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import AxeBuilderSource from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { noChatModel } from './sample-models.ts'
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

/** Asks in the chat, and waits for the end of the answer or for `until`. */
const chat =
  (question: string, until = '.message-foot', then?: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    await page.locator('.composer textarea').fill(question)
    await page.locator('.composer textarea').press('Enter')
    await page.locator(until).first().waitFor()
    await then?.(page)
  }
const drawer = async (page: Page): Promise<void> => {
  await page.locator('button.marker').first().click()
  await page.locator('.drawer .citation').first().waitFor()
  await page.waitForTimeout(300)
}
const quick = (state: MockState): void => void (state.chat.pace = 1)
const chatShots: readonly Shot[] = [
  { name: 'chat-empty', path: '/' },
  { name: 'chat-none', path: '/chat', prepare: quick, act: chat('hello') },
  { name: 'chat-one', path: '/chat', prepare: quick, act: chat('one: how to recover from E_CONN_RESET') },
  { name: 'chat-table', path: '/chat', prepare: quick, act: chat('table: 网关 502 怎么办') },
  { name: 'chat-long', path: '/chat', prepare: quick, act: chat('long') },
  { name: 'chat-nothing', path: '/chat', prepare: quick, act: chat('nothing about it') },
  { name: 'chat-failed', path: '/chat', prepare: quick, act: chat('please fail') },
  { name: 'chat-partial', path: '/chat', prepare: quick, act: chat('partial answer') },
  { name: 'chat-dead', path: '/chat', prepare: quick, act: chat('dead model', '.note-bad') },
  { name: 'chat-evidence', path: '/chat', prepare: quick, act: chat('evidence only') },
  { name: 'chat-hostile', path: '/chat', prepare: quick, act: chat('hostile') },
  { name: 'chat-forged', path: '/chat', prepare: quick, act: chat('forged markers') },
  { name: 'chat-approve', path: '/chat', prepare: quick, act: chat('approve a restart', '.approval') },
  { name: 'chat-writing', path: '/chat', act: chat('long', '.md') },
  { name: 'chat-drawer', path: '/chat', prepare: quick, act: chat('five sources', '.message-foot', drawer) },
  { name: 'chat-drawer-two', path: '/chat', prepare: quick, act: chat('long', '.message-foot', drawer) },
  {
    name: 'chat-list',
    path: '/chat',
    prepare: (state) => {
      quick(state)
      for (const [index, title] of [
        '网关 502',
        'KubePodCrashLooping on pay-gateway since the last release',
        'disk'
      ].entries()) {
        const at = Date.now() - (index + 1) * 7_200_000
        const id = `talk-${index}`
        state.chat.conversations.set(id, { id, title, messages: 0, createdAt: at, updatedAt: at })
        state.chat.messages.set(id, [])
      }
    },
    act: async (page) => {
      if (await page.locator('.talks-fold').isVisible()) await page.locator('.talks-fold').click()
      await page.locator('.talk').first().hover()
    }
  },
  { name: 'chat-gone', path: '/chat/none' },
  {
    name: 'chat-unavailable',
    path: '/chat',
    prepare: (state) => void state.broken.add('sendMessage'),
    act: chat('hello', '[role=alert]')
  }
]

const shots: readonly Shot[] = [
  ...chatShots,
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
  { name: 'system-audit', path: '/system/audit?whose=everybody' },
  { name: 'system-audit-none', path: '/system/audit?tool=none&conversation=conversation-1' },
  { name: 'system-audit-call', path: '/system/audit/call-1' },
  { name: 'system-audit-refused', path: '/system/audit/call-3' },
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
      await page.locator('.difference').first().waitFor()
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
  { name: 'settings-servers', path: '/settings/servers' },
  { name: 'settings-servers-none', path: '/settings/servers', prepare: (state) => void state.servers.splice(0) },
  { name: 'settings-server-new', path: '/settings/servers/new?template=cls' },
  {
    name: 'settings-server-member',
    path: '/settings/servers/new?template=http',
    prepare: (state) => void (state.me = state.users[1]!)
  },
  {
    name: 'settings-server-tools',
    path: '/settings/servers/mcp-cls',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Check now|立即检查)$/ }).click()
      await page.locator('.tool-item').first().waitFor()
      await page.locator('.value-row .button-small').first().click()
    }
  },
  {
    name: 'settings-server-failed',
    path: '/settings/servers/mcp-tickets',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Check now|立即检查)$/ }).click()
      await page.locator('.facts').waitFor()
      await page.locator('input[type=url]').fill('http://elsewhere.example.com')
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
