import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router'
import type { TextKey } from '../i18n/use-texts.ts'

declare module 'vue-router' {
  interface RouteMeta {
    /** Title of the page, until the room knows a better one. */
    readonly title?: TextKey
  }
}

const rooms: readonly RouteRecordRaw[] = [
  {
    path: '/chat/:conversationId?',
    component: () => import('../chat/chat-page.vue'),
    props: true,
    meta: { title: 'chat.title' }
  },
  {
    path: '/knowledge',
    component: () => import('../knowledge/bases-page.vue'),
    meta: { title: 'knowledge.title' }
  },
  {
    path: '/knowledge/:baseId/:tab(documents|tasks|readers)?',
    component: () => import('../knowledge/base-page.vue'),
    props: true,
    meta: { title: 'knowledge.title' }
  },
  {
    path: '/documents/:documentId',
    component: () => import('../document/document-page.vue'),
    props: true,
    meta: { title: 'document.title' }
  },
  { path: '/lab', component: () => import('../lab/lab-page.vue'), meta: { title: 'lab.title' } },
  {
    path: '/lab/search',
    component: () => import('../lab/search/search-page.vue'),
    meta: { title: 'lab.title' }
  },
  { path: '/system', component: () => import('../system/system-page.vue'), meta: { title: 'system.title' } },
  {
    path: '/system/audit',
    component: () => import('../system/audit/audit-page.vue'),
    meta: { title: 'audit.title' }
  },
  {
    path: '/system/audit/:callId',
    component: () => import('../system/audit/call-page.vue'),
    props: true,
    meta: { title: 'audit.title' }
  }
]

/** What is written out comes before what has a parameter in its place. */
const settings: readonly RouteRecordRaw[] = [
  {
    path: '/settings',
    component: () => import('../settings/settings-page.vue'),
    meta: { title: 'settings.title' }
  },
  {
    path: '/settings/people',
    component: () => import('../settings/people-page.vue'),
    meta: { title: 'settings.users' }
  },
  {
    path: '/settings/models',
    component: () => import('../settings/models/models-page.vue'),
    meta: { title: 'models.title' }
  },
  {
    path: '/settings/servers',
    component: () => import('../settings/servers/servers-page.vue'),
    meta: { title: 'servers.title' }
  },
  {
    path: '/settings/servers/new',
    component: () => import('../settings/servers/new-server-page.vue'),
    meta: { title: 'servers.title' }
  },
  {
    path: '/settings/servers/:serverId',
    component: () => import('../settings/servers/server-page.vue'),
    props: true,
    meta: { title: 'servers.title' }
  },
  {
    path: '/settings/:place(prompts|skills)',
    component: () => import('../settings/prompts/prompts-page.vue'),
    props: true,
    meta: { title: 'settings.title' }
  },
  {
    path: '/settings/:place(prompts|skills)/new',
    component: () => import('../settings/prompts/new-prompt-page.vue'),
    props: true,
    meta: { title: 'settings.title' }
  },
  {
    path: '/settings/:place(prompts|skills)/:promptId',
    component: () => import('../settings/prompts/editor-page.vue'),
    props: true,
    meta: { title: 'settings.title' }
  }
]

/** Addresses of the rooms; each room is fetched when it is first entered. */
export function createPageRouter() {
  return createRouter({
    history: createWebHistory(),
    // A filter in the address changes while it is typed: the page stays where it is.
    scrollBehavior: (to, from, saved) => saved ?? (to.path === from.path ? false : { top: 0 }),
    routes: [
      { path: '/', redirect: '/chat' },
      ...rooms,
      ...settings,
      { path: '/:rest(.*)*', component: () => import('./missing-page.vue'), meta: { title: 'common.missingTitle' } }
    ]
  })
}
