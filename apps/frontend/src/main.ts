// First of all: a schema asks once, when it is made.
// oxlint-disable-next-line import/no-unassigned-import
import './api/schema-settings.ts'
import { createPinia } from 'pinia'
import { createApp } from 'vue'
import { languageFetch } from './api/language-fetch.ts'
import { apiKey, createPageApi, createUploadApi, uploadApiKey } from './api/page-api.ts'
import App from './app/app-root.vue'
import { createPageRouter } from './app/router.ts'
import { createTexts } from './i18n/create-texts.ts'
import { usePreferences } from './preferences/preferences-store.ts'
import { useSession } from './session/session-store.ts'

const app = createApp(App)
const texts = createTexts()
const onExpired = (): void => useSession().expire()
const send = languageFetch(() => usePreferences().locale)
app.provide(apiKey, createPageApi(location.origin, onExpired, send))
app.provide(uploadApiKey, createUploadApi(location.origin, onExpired))
app.use(createPinia()).use(texts)
usePreferences().apply(texts)
app.use(createPageRouter()).mount('#app')
