import type { Prompt } from '@oncall-agent/api-contracts'
import { computed, shallowRef } from 'vue'
import { useAction } from '../../api/use-action.ts'
import { useNewest } from '../../api/use-newest.ts'
import { newestOf } from './newest-of.ts'
import { isSameText, type PromptCalls, type PromptPlace, type PromptText } from './prompt-place.ts'
import { usePromptText } from './use-prompt-text.ts'

/**
 * Saving one prompt or skill. What was written is lost by nothing but the person's own wish: not by a failed save, not
 * by a newer version of somebody else, not by the end of the session.
 */
export function usePromptEditor(place: PromptPlace, calls: PromptCalls, first: Prompt) {
  const written = usePromptText(place, first)
  const { saved, baseVersion, text, write } = written
  /** Written by somebody else since; shown beside the own text until the person decides. */
  const theirs = shallowRef<Prompt | null>(written.isRestored && baseVersion.value !== first.version ? first : null)
  /** Own text that gave way to theirs. */
  const setAside = shallowRef<PromptText | null>(null)
  const isUnsaved = computed(() => written.isChanged.value || setAside.value !== null)
  const { busy, problem, run } = useAction()
  const ask = useNewest()

  function accept(next: Prompt): void {
    written.accept(next)
    theirs.value = null
  }
  /** @param over what the text is written over: the version that was edited, or theirs */
  async function save(over = { id: saved.value.id, version: baseVersion.value }): Promise<boolean> {
    const sent = text.value
    const done = await run(async () => {
      const body = { ...sent, baseVersion: over.version }
      accept(await calls.change({ params: { id: over.id }, body }))
      // Whoever went on writing meanwhile keeps what they wrote.
      if (isSameText(sent, text.value)) write(saved.value)
    })
    if (!done && problem.value?.code === 'CONFLICT') await lookForTheirs(over)
    return done
  }
  /** A conflict is told by showing both texts; the refusal itself would only repeat it. */
  async function lookForTheirs({ id, version }: { readonly id: string; readonly version: number }): Promise<void> {
    const answered = await ask((signal) => newestOf(calls, { id, name: first.name }, signal))
    if (answered === null) return
    if ('problem' in answered) problem.value = answered.problem
    else if (answered.value.id !== id || answered.value.version !== version) {
      theirs.value = answered.value
      problem.value = null
    }
  }
  const saveOverTheirs = (): Promise<boolean> => save(theirs.value ?? undefined)
  function takeTheirs(): void {
    if (theirs.value === null) return
    setAside.value = text.value
    accept(theirs.value)
    write(saved.value)
  }
  function putBack(): void {
    if (setAside.value !== null) write(setAside.value)
    setAside.value = null
  }
  return { ...written, theirs, setAside, isUnsaved, busy, problem, save, saveOverTheirs, takeTheirs, putBack }
}
