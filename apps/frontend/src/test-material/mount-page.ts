import { createApiClient } from '@oncall-agent/api-contracts'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { type Component, h } from 'vue'
import { createMemoryHistory, createRouter, type Router, RouterView } from 'vue-router'
import { answerMock } from '../../dev/mock-api.ts'
import { mockState, type MockState, type Scene } from '../../dev/mock-state.ts'
import { languageFetch } from '../api/language-fetch.ts'
import { apiKey, createUploadApi, uploadApiKey } from '../api/page-api.ts'
import { createTexts } from '../i18n/create-texts.ts'
import type { LocaleName } from '../i18n/locales.ts'
import { useSession } from '../session/session-store.ts'

export interface Mounted {
  readonly page: VueWrapper
  readonly state: MockState
  readonly router: Router
  /** Paths of the calls that were made, oldest first. */
  readonly calls: readonly string[]
}

export interface MountWish {
  readonly scene?: Scene
  readonly locale?: LocaleName
  readonly path?: string
  readonly props?: Readonly<Record<string, unknown>>
  readonly prepare?: (state: MockState) => void
}

const mounted: VueWrapper[] = []

/** Mounts a component with texts, stores, a router and the mock behind the real client; waits until it is quiet. */
export async function mountPage(component: Component, wish: MountWish = {}): Promise<Mounted> {
  const state = mockState(wish.scene ?? 'in')
  wish.prepare?.(state)
  const calls: string[] = []
  const texts = createTexts()
  texts.global.locale.value = wish.locale ?? 'en'
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    calls.push(`${request.method} ${new URL(request.url).pathname}`)
    return (await answerMock(state, request)) ?? new Response('no route', { status: 404 })
  }
  const language = (): LocaleName => texts.global.locale.value
  const api = createApiClient({ baseUrl: 'http://mock.test', fetch: languageFetch(language, send) })
  const show = { render: () => h(component, wish.props) }
  const router = createRouter({ history: createMemoryHistory(), routes: [{ path: '/:rest(.*)*', component: show }] })
  await router.push(wish.path ?? '/')
  // Uploads go over the wire: a test that makes some starts a server and says where it is.
  const uploadApi = createUploadApi(location.origin, () => useSession().expire())
  const page = mount(RouterView, {
    attachTo: document.body,
    global: {
      plugins: [texts, createPinia(), router],
      provide: { [apiKey as symbol]: api, [uploadApiKey as symbol]: uploadApi }
    }
  })
  mounted.push(page)
  await settle()
  return { page, state, router, calls }
}

/** Ends timers and listeners of what a test mounted. */
export function unmountAll(): void {
  for (const page of mounted.splice(0)) page.unmount()
}

/** Waits until the answers that are on their way have come and been drawn. */
export async function settle(): Promise<void> {
  // One macrotask a call of the mock; the longest chain of calls in a room is shorter than this.
  for (let turn = 0; turn < 12; turn++) {
    await flushPromises()
    await new Promise((done) => setTimeout(done, 0))
  }
}
