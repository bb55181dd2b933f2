import type { McpServer } from '@oncall-agent/api-contracts'
import { computed, shallowRef } from 'vue'
import { useApi } from '../../api/page-api.ts'
import { useAction } from '../../api/use-action.ts'
import type { Allowed } from './permissions.ts'

/**
 * Saves each choice at once. Choices made while one is being saved are sent together after it; when saving fails, what
 * the server has is shown again.
 * @param accept is given the server as it is after each save, and what was saved
 */
export function usePermissions(server: () => McpServer, accept: (server: McpServer, saved: Allowed) => void) {
  const api = useApi()
  const { busy, problem, run } = useAction()
  const wanted = shallowRef<Allowed | null>(null)
  const allowed = computed<Allowed>(() => wanted.value ?? server().allowedTools)

  async function choose(next: Allowed): Promise<void> {
    wanted.value = next
    if (busy.value) return
    await run(async () => {
      for (let sent: Allowed | null = null; sent !== wanted.value;) {
        sent = wanted.value
        if (sent === null) return
        accept(await api.changeMcpServer({ params: { id: server().id }, body: { allowedTools: [...sent] } }), sent)
      }
    })
    wanted.value = null
  }
  return { allowed, choose, busy, problem }
}
