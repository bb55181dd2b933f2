import { type ApiClient, ApiError, createApiClient } from '@oncall-agent/api-contracts'
import { inject, type InjectionKey } from 'vue'
import { progressFetch } from './progress-fetch.ts'

export const apiKey: InjectionKey<ApiClient> = Symbol('api')

/** Makes the client of one upload. @param onProgress sent share of the body, 0..1 */
export type UploadApi = (onProgress: (share: number) => void) => ApiClient
export const uploadApiKey: InjectionKey<UploadApi> = Symbol('upload-api')

/** Calls that answer "sign in first" as their ordinary answer, not because a session ended. */
const ASKING_WHO = new Set(['me', 'login', 'bootstrap'])

/**
 * The typed client, which also tells when the session is over.
 * @param onExpired called whenever a call is refused for want of a session
 * @param send another `fetch`: one that tells the progress of an upload
 */
export function createPageApi(baseUrl: string, onExpired: () => void, send?: typeof fetch): ApiClient {
  const client = createApiClient({ baseUrl, ...(send === undefined ? {} : { fetch: send }) })
  const watched = Object.entries(client).map(([name, call]) => [
    name,
    async (...input: readonly never[]) => {
      try {
        return await (call as (...given: readonly never[]) => Promise<unknown>)(...input)
      } catch (error) {
        if (!ASKING_WHO.has(name) && error instanceof ApiError && error.code === 'AUTH_REQUIRED') onExpired()
        throw error
      }
    }
  ])
  return Object.fromEntries(watched) as ApiClient
}

/** Clients of uploads, which notice the end of a session as the page's own does. */
export function createUploadApi(baseUrl: string, onExpired: () => void): UploadApi {
  return (onProgress) => createPageApi(baseUrl, onExpired, progressFetch(onProgress))
}

/** @throws Error when no client was provided: a fault of the program, never of a user */
export function useApi(): ApiClient {
  const client = inject(apiKey)
  if (client === undefined) throw new Error('useApi: no API client was provided to this component')
  return client
}

/** @throws Error when none was provided, as `useApi` does */
export function useUploadApi(): UploadApi {
  const upload = inject(uploadApiKey)
  if (upload === undefined) throw new Error('useUploadApi: no client of uploads was provided to this component')
  return upload
}
