import { type ApiClient, ApiError, createApiClient } from '@oncall-agent/api-contracts'
import { inject, type InjectionKey } from 'vue'

export const apiKey: InjectionKey<ApiClient> = Symbol('api')

/** Calls that answer "sign in first" as their ordinary answer, not because a session ended. */
const ASKING_WHO = new Set(['me', 'login', 'bootstrap'])

/**
 * The typed client, which also tells when the session is over.
 * @param onExpired called whenever a call is refused for want of a session
 */
export function createPageApi(baseUrl: string, onExpired: () => void): ApiClient {
  const client = createApiClient({ baseUrl })
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

/** @throws Error when no client was provided: a fault of the program, never of a user */
export function useApi(): ApiClient {
  const client = inject(apiKey)
  if (client === undefined) throw new Error('useApi: no API client was provided to this component')
  return client
}
