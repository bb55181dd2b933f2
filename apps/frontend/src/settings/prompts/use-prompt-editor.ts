import type { Prompt } from '@oncall-agent/api-contracts'
import { computed, shallowRef } from 'vue'
import { useAction } from '../../api/use-action.ts'
import { useNewest } from '../../api/use-newest.ts'
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
  async function save(): Promise<boolean> {
    const sent = text.value
    const done = await run(async () => {
      const body = { ...sent, baseVersion: baseVersion.value }
      accept(await calls.change({ params: { id: saved.value.id }, body }))
      // Whoever went on writing meanwhile keeps what they wrote.
      if (isSameText(sent, text.value)) write(saved.value)
    })
    if (!done && problem.value?.code === 'CONFLICT') await lookForTheirs()
    return done
  }
  /** A conflict is told by showing both texts; the refusal itself would only repeat it. */
  async function lookForTheirs(): Promise<void> {
    const answered = await ask((signal) => calls.one({ params: { id: saved.value.id }, signal }))
    if (answered === null) return
    if ('problem' in answered) problem.value = answered.problem
    else if (answered.value.version !== baseVersion.value) {
      theirs.value = answered.value
      problem.value = null
    }
  }
  async function saveOverTheirs(): Promise<boolean> {
    if (theirs.value !== null) baseVersion.value = theirs.value.version
    return save()
  }
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
