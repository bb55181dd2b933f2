import type { RetrievalRequestInput } from '@oncall-agent/api-contracts'
import { shallowRef } from 'vue'
import { useApi } from '../api/page-api.ts'
import { useAction } from '../api/use-action.ts'
import { type LabRun, runOfAnswer, runOfRecord } from './lab-run.ts'
import { useBases } from './use-bases.ts'

export interface LabWish {
  readonly query: string
  readonly topK: number
  /** Empty: all that one may read. */
  readonly baseIds: readonly string[]
}

/** What the lab does: ask, look up an earlier run, and keep one beside another. */
export function useLab() {
  const api = useApi()
  const { busy, problem, run: act } = useAction()
  const run = shallowRef<LabRun | null>(null)
  const other = shallowRef<LabRun | null>(null)
  const { bases, basesProblem, names, loadBases } = useBases()

  function ask({ query, topK, baseIds }: LabWish): Promise<boolean> {
    run.value = null
    const body: RetrievalRequestInput = {
      query,
      topK,
      ...(baseIds.length > 0 ? { filters: { knowledgeBaseIds: [...baseIds] } } : {})
    }
    return act(async () => {
      const answer = await api.retrieve({ body })
      const scope = baseIds.length > 0 ? baseIds : bases.value.map(({ id }) => id)
      const answered = runOfAnswer(answer, scope, Date.now())
      run.value = answered
      if (answer.runId === null) return
      // The answer has the evidence; the stored record also has the candidates that were not chosen.
      const excerpts = new Map(answer.citations.map(({ id, excerpt }) => [id, excerpt]))
      const stored = await api.retrievalRun({ params: { runId: answer.runId } }).catch(() => null)
      if (stored !== null && run.value === answered) run.value = runOfRecord(stored, excerpts)
    })
  }
  async function fetchRun(runId: string): Promise<LabRun> {
    return runOfRecord(await api.retrievalRun({ params: { runId: runId.trim() } }))
  }
  const open = (runId: string): Promise<boolean> => act(async () => void (run.value = await fetchRun(runId)))
  const compareWith = (runId: string): Promise<boolean> => act(async () => void (other.value = await fetchRun(runId)))
  return { run, other, bases, basesProblem, names, busy, problem, loadBases, ask, open, compareWith }
}
