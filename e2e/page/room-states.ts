import type { TextKey } from '@oncall-agent/frontend/use-texts'
import { ask, chooseFiles, heading, search, uploadOf } from './actions.ts'
import type { Visit } from './browser.ts'
import { picture } from './sample-files.ts'
import type { Stage } from './stage.ts'

/** A state of a room that somebody can meet: how one comes there, and who looks at it. */
export interface RoomState {
  readonly name: string
  readonly by?: 'member'
  arrange(here: Visit, stage: Stage): Promise<void>
}

const at = async ({ page }: Visit, address: string, title: string): Promise<void> => {
  await page.goto(address)
  await heading(page, title).waitFor()
}
const opens = async (here: Visit, button: TextKey, title: TextKey): Promise<void> => {
  const { page, texts } = here
  await page
    .getByRole('button', { name: texts.t(button), exact: true })
    .first()
    .click()
  await page.getByRole('dialog', { name: texts.t(title) }).waitFor()
}
const inBase = async (here: Visit, { baseId }: Stage, tab: string, shown: string): Promise<void> => {
  await at(here, `/knowledge/${baseId}/${tab}`, 'Runbooks')
  await here.page.getByText(shown).first().waitFor()
}

const knowledge: readonly RoomState[] = [
  {
    name: 'bases',
    arrange: async (here) => {
      await at(here, '/knowledge', here.texts.t('knowledge.title'))
      await here.page.getByRole('link', { name: 'Runbooks' }).waitFor()
    }
  },
  { name: 'bases-new', arrange: (here) => opens(here, 'knowledge.create', 'knowledge.create') },
  { name: 'documents', arrange: (here, stage) => inBase(here, stage, 'documents', 'scan.pdf') },
  {
    name: 'documents-refused',
    arrange: async (here) => {
      here.tolerate(415)
      await chooseFiles(here, [picture('photo.gif')])
      await uploadOf(here, 'photo.gif').getByText('UNSUPPORTED_MEDIA_TYPE').waitFor()
    }
  },
  {
    name: 'documents-none-match',
    arrange: async ({ page, texts: { t } }) => {
      await page.getByLabel(t('document.byName')).fill('nothing like it')
      await page.getByText(t('document.noneMatch')).waitFor()
    }
  },
  {
    name: 'base-delete',
    arrange: async ({ page, texts: { t } }) => {
      await page
        .getByRole('button', { name: t('common.delete'), exact: true })
        .first()
        .click()
      await page.getByRole('dialog').waitFor()
    }
  },
  { name: 'tasks', arrange: (here, stage) => inBase(here, stage, 'tasks', 'DOCUMENT_UNREADABLE') },
  { name: 'readers', arrange: (here, stage) => inBase(here, stage, 'readers', 'ben') },
  { name: 'documents-shared', by: 'member', arrange: (here, stage) => inBase(here, stage, 'documents', 'scan.pdf') },
  {
    name: 'documents-empty',
    arrange: async (here, { emptyId }) => {
      await at(here, `/knowledge/${emptyId}`, 'Still empty')
      await here.page.getByText(here.texts.t('document.none')).waitFor()
    }
  },
  {
    name: 'base-missing',
    arrange: async (here) => {
      here.tolerate(404)
      await here.page.goto('/knowledge/no-such-base')
      await here.page.getByRole('alert').waitFor()
    }
  },
  {
    name: 'document',
    arrange: async ({ page, texts: { t } }, { documentId }) => {
      await page.goto(`/documents/${documentId}`)
      const chunks = page.getByRole('list', { name: t('document.chunksTitle') })
      await chunks.getByRole('button').first().click()
      await page.locator('mark').first().waitFor()
    }
  },
  { name: 'document-new-version', arrange: (here) => opens(here, 'document.newVersion', 'document.newVersion') }
]

const lab: readonly RoomState[] = [
  { name: 'lab', arrange: (here) => at(here, '/lab', here.texts.t('lab.title')) },
  { name: 'lab-run', arrange: (here) => ask(here, 'E_CONN_RESET 怎么恢复') },
  {
    name: 'lab-comparison',
    arrange: async (here) => {
      const { page, texts } = here
      await page.getByRole('button', { name: texts.t('lab.keep') }).click()
      await ask(here, 'escalation')
      await page.getByRole('region', { name: texts.t('lab.comparison'), exact: true }).waitFor()
    }
  },
  {
    name: 'lab-nothing',
    arrange: async (here) => {
      await here.page.getByRole('checkbox', { name: 'Still empty' }).check()
      await ask(here, 'anything')
      await here.page.getByText(here.texts.t('lab.nothing')).first().waitFor()
    }
  },
  {
    name: 'lab-failed',
    arrange: async (here, { bench, member }) => {
      here.tolerate(503)
      // Who looks at the system meanwhile is told that it is not ready.
      member.tolerate(503)
      await here.page.getByRole('checkbox', { name: 'Still empty' }).uncheck()
      bench.stub.misbehave({ status: 500 })
      await ask(here, 'a question nobody asked before')
      await here.page.getByRole('alert').first().waitFor()
      bench.stub.misbehave(undefined)
    }
  }
]

/** A search by its address, and a text that its answer has. */
const searched = async (here: Visit, query: string, shown: string): Promise<void> => {
  await here.page.goto(`/lab/search?mode=auto&${query}`)
  await here.page
    .getByRole('article', { name: here.texts.t('search.answer') })
    .locator('header')
    .getByText(shown, { exact: true })
    .waitFor()
}

const structured: readonly RoomState[] = [
  { name: 'search', arrange: (here) => at(here, '/lab/search', here.texts.t('lab.title')) },
  {
    name: 'search-form',
    arrange: async ({ page, texts: { t } }) => {
      await page.getByText(t('search.advanced')).click()
      await page
        .locator('summary')
        .filter({ hasText: t('search.bases') })
        .click()
      await page.getByLabel(t('search.keywords'), { exact: true }).fill('E_CONN_RESET "pay gateway" 连接被重置')
      await page.getByLabel(t('search.codes'), { exact: true }).fill('E_CONN_RESET, E1042')
    }
  },
  { name: 'search-strict', arrange: (here) => searched(here, 'keywords=E_CONN_RESET', 'strict_hit') },
  {
    name: 'search-judged',
    arrange: async ({ page, texts: { t } }) => {
      await page.getByRole('button', { name: t('search.verdicts.up'), exact: true }).click()
      await page.getByText(t('search.saved')).waitFor()
      await page.getByText(t('search.feedback'), { exact: true }).click()
      await page.getByRole('table', { name: t('search.byDocument') }).waitFor()
    }
  },
  { name: 'search-too-many', arrange: (here) => searched(here, 'strict_max_hits=1', 'too_many') },
  { name: 'search-loose', arrange: (here) => searched(here, 'keywords=E_CONN_RESET&keywords=zzyzx', 'loose_hit') },
  {
    name: 'search-comparison',
    arrange: async (here) => {
      const { page, texts } = here
      await page.getByRole('button', { name: texts.t('search.keep') }).click()
      await page.getByText(texts.t('search.advanced')).click()
      await page.getByLabel(texts.t('search.settings.vector_weight'), { exact: true }).fill('0.9')
      await search(here)
      await page.getByRole('region', { name: texts.t('lab.comparison'), exact: true }).waitFor()
    }
  },
  { name: 'search-nearest', arrange: (here) => searched(here, 'keywords=zzyzx&query_text=gateway', 'vector_only') },
  { name: 'search-nothing', arrange: (here) => searched(here, 'keywords=zzyzx&project=pay&error_codes=E1', 'no_hit') },
  {
    name: 'search-refused',
    arrange: async (here) => {
      here.tolerate(400)
      await here.page.goto('/lab/search?mode=auto&vector_weight=7')
      await here.page.getByRole('alert').waitFor()
    }
  },
  {
    name: 'search-failed',
    arrange: async (here) => {
      const error = { code: 'SYSTEM_UNAVAILABLE', message: 'Structured search is unavailable.', requestId: 'req-1' }
      await here.page.route('**/api/v1/search', (route) => route.fulfill({ status: 503, json: { error } }))
      await here.page.goto('/lab/search?mode=auto')
      await here.page.getByRole('alert').waitFor()
      await here.page.unrouteAll()
    }
  },
  {
    name: 'search-excerpt',
    arrange: async (here) => {
      await searched(here, 'keywords=E_CONN_RESET', 'strict_hit')
      await here.page.getByRole('article').getByRole('listitem').getByRole('link').first().click()
      await here.page.locator('mark').first().waitFor()
    }
  }
]

const others: readonly RoomState[] = [
  { name: 'system', arrange: (here) => at(here, '/system', here.texts.t('system.title')) },
  {
    name: 'system-denied',
    by: 'member',
    arrange: async (here) => {
      here.tolerate(403)
      await at(here, '/system', here.texts.t('system.title'))
      await here.page.getByRole('alert').first().waitFor()
    }
  },
  {
    name: 'settings-people',
    arrange: async (here) => {
      await at(here, '/settings/people', here.texts.t('settings.users'))
      await here.page.getByText('ben').first().waitFor()
    }
  },
  { name: 'settings-person', arrange: (here) => opens(here, 'settings.newUser', 'settings.newUser') },
  { name: 'settings', arrange: (here) => at(here, '/settings', here.texts.t('settings.title')) },
  {
    name: 'settings-key',
    arrange: async (here) => {
      const { page, texts } = here
      await opens(here, 'settings.newKey', 'settings.newKey')
      await page.getByRole('dialog').getByLabel(texts.t('settings.keyName'), { exact: true }).fill('pager')
      await page.getByRole('button', { name: texts.t('settings.makeKey') }).click()
      await page.getByText(texts.t('settings.keyOnce')).waitFor()
    }
  },
  { name: 'missing', arrange: (here) => at(here, '/no/such/page', here.texts.t('common.missingTitle')) }
]

const unhappy: readonly RoomState[] = [
  {
    name: 'bases-failed',
    arrange: async (here) => {
      const error = { code: 'SYSTEM_UNAVAILABLE', message: 'The store did not answer.', requestId: 'req-1' }
      await here.page.route('**/api/v1/knowledge-bases?*', (route) => route.fulfill({ status: 503, json: { error } }))
      await here.page.goto('/knowledge')
      await here.page.getByRole('alert').waitFor()
      await here.page.unrouteAll()
    }
  },
  {
    name: 'bases-loading',
    arrange: async (here) => {
      await here.page.route('**/api/v1/knowledge-bases?*', () => undefined)
      await here.page.goto('/knowledge')
      await here.page.getByText(here.texts.t('common.loading')).first().waitFor()
    }
  }
]

/** In this order: some begin where the one before ended. */
export const roomStates: readonly RoomState[] = [...knowledge, ...others, ...lab, ...structured, ...unhappy]
