import { ApiError, type Credentials, type Me, type User } from '@oncall-agent/api-contracts'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { type Problem, problemOf } from '../api/problem.ts'
import { useApi } from '../api/page-api.ts'

/**
 * Who sits before the page.
 * `asking` → `first` (no account exists) | `out` | `in` | `unknown` (the server did not say); `in` → `out` when the
 * session ends; only `become` changes it for an answer.
 */
export type SessionPhase = 'asking' | 'first' | 'out' | 'in' | 'unknown'

export const useSession = defineStore('session', () => {
  const api = useApi()
  const phase = ref<SessionPhase>('asking')
  const user = shallowRef<User | null>(null)
  const problem = shallowRef<Problem | null>(null)
  /** True when a session ended while the page was open, not when there never was one. */
  const expired = ref(false)
  const isAdmin = computed(() => user.value?.role === 'admin')

  function become(me: Me): void {
    user.value = me.user
    expired.value = false
    if (me.needsFirstAccount) phase.value = 'first'
    else phase.value = me.user === null ? 'out' : 'in'
  }
  async function load(): Promise<void> {
    phase.value = 'asking'
    try {
      become(await api.me())
    } catch (error) {
      const nobody = error instanceof ApiError && error.code === 'AUTH_REQUIRED'
      problem.value = nobody ? null : problemOf(error)
      phase.value = nobody ? 'out' : 'unknown'
    }
  }
  const signIn = async (body: Credentials): Promise<void> => become(await api.login({ body }))
  const createFirst = async (body: Credentials): Promise<void> => become(await api.bootstrap({ body }))
  async function signOut(): Promise<void> {
    await api.logout()
    user.value = null
    phase.value = 'out'
  }
  function expire(): void {
    if (phase.value !== 'in') return
    expired.value = true
    phase.value = 'out'
  }
  return { phase, user, problem, expired, isAdmin, load, signIn, createFirst, signOut, expire }
})
