import { type ChatModelServer, says, startChatModelServer } from '@oncall-agent/backend/chat-model-server'
import type { Browser } from 'playwright-core'
import { temporaryFolder } from '../../../oncall.ts'
import { launchBrowser, visit, type Visit } from '../../../page/browser.ts'
import type { Locale } from '../../../page/texts.ts'
import { type ModelStub, startModelStub } from '../../../service/model-stub.ts'
import { bootstrap, ended, file, type Person } from '../../../service/people.ts'
import { type Served, startServer } from '../../../service/served.ts'
import { type CutLine, startCutLine, startGzipProxy } from './proxies.ts'
import { type RestartTools, startRestartTools } from './restart-tools.ts'
import { emptyBase, filledBase, type RunbookName, runbooks } from './runbooks.ts'

/** Where a browser can go: straight to the server, by one of the ways to it, or to a server without a chat model. */
export type Way = 'straight' | 'cut-line' | 'gzip' | 'no-model'

/** A real server with a scripted model, a team's runbooks and tools, and a real browser. */
export interface Scene {
  readonly locale: Locale
  readonly ana: Person
  readonly server: Served
  /** Says what the dialogue tells it to. */
  readonly model: ChatModelServer
  /** Vectors and order. */
  readonly stub: ModelStub
  readonly tools: RestartTools
  readonly line: CutLine
  readonly documents: Readonly<Record<RunbookName, string>>
  /** Somebody before the page, signed in as `ana`; a browser profile of its own. */
  enter(way?: Way): Promise<Visit>
  /** Everybody leaves. @returns what the browsers complained about */
  leave(): Promise<readonly string[]>
  close(): Promise<void>
}

export async function setScene(locale: Locale): Promise<Scene> {
  const [model, stub, tools, folder, browser] = await Promise.all([
    startChatModelServer(says('Nobody told me what to say.')),
    startModelStub(),
    startRestartTools(),
    temporaryFolder(),
    launchBrowser()
  ])
  const chat = { KB_CHAT__BASE_URL: model.baseUrl, KB_CHAT__MODEL: 'scripted' }
  const server = await startServer(folder.path, { ...stub.environment, ...chat })
  const ana = await bootstrap(server.address)
  const documents = await fill(ana, locale)
  // The same data, as a team has it that has not set up a chat model yet.
  const bare = await startServer(folder.path, { ...stub.environment, KB_CHAT__BASE_URL: '' })
  const [line, gzip] = await Promise.all([startCutLine(server.address), startGzipProxy(server.address)])
  const ways = { straight: server, 'cut-line': line, gzip, 'no-model': bare } as const
  const visits: Visit[] = []
  return {
    locale,
    ana,
    server,
    model,
    stub,
    tools,
    line,
    documents,
    enter: async (way = 'straight') => {
      const here = await enter(browser, ways[way].address, locale, ana)
      visits.push(here)
      return here
    },
    leave: async () => {
      const complaints = visits.flatMap((each) => each.complaints())
      await Promise.all(visits.splice(0).map(({ context }) => context.close()))
      return complaints
    },
    close: async () => {
      await browser.close()
      await Promise.all([line.close(), gzip.close()])
      await Promise.all([server.stop(), bare.stop()])
      await Promise.all([model.close(), stub.close(), tools.close(), folder.remove()])
    }
  }
}

async function enter(browser: Browser, address: string, locale: Locale, { cookie }: Person): Promise<Visit> {
  const here = await visit(browser, address, { locale, cookie })
  await here.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address })
  return here
}

async function fill({ api }: Person, locale: Locale): Promise<Record<RunbookName, string>> {
  const { id } = await api.createKnowledgeBase({ body: { name: filledBase[locale] } })
  await api.createKnowledgeBase({ body: { name: emptyBase[locale] } })
  const uploads = Object.entries(runbooks[locale]).map(async ([name, text]) => {
    const files = [file(`${name}.md`, text)]
    const { document, task } = await api.uploadDocuments({ params: { id }, form: { index: true }, files })
    const { status } = await ended(api, task!.id)
    if (status !== 'succeeded') throw new Error(`${name} was not indexed`)
    return [name, document.id] as const
  })
  return Object.fromEntries(await Promise.all(uploads)) as Record<RunbookName, string>
}
