import type { Prompt } from '@oncall-agent/api-contracts'
import { computed, ref, shallowRef, watch } from 'vue'
import { useDrafts } from './drafts-store.ts'
import { isSameText, type PromptPlace, type PromptText } from './prompt-place.ts'

/** The text of one prompt or skill while it is edited, kept as a draft as long as it differs from what is saved. */
export function usePromptText(place: PromptPlace, first: Prompt) {
  const drafts = useDrafts()
  const draft = drafts.of(place, first.id)
  /** The newest version that is known here, which the text is compared with. */
  const saved = shallowRef(first)
  /** The version that was edited; older than `saved` when somebody else saved meanwhile. */
  const baseVersion = ref(draft?.baseVersion ?? first.version)
  const description = ref(draft?.description ?? first.description)
  const content = ref(draft?.content ?? first.content)
  const text = computed<PromptText>(() => ({ description: description.value, content: content.value }))
  const isChanged = computed(() => !isSameText(text.value, saved.value))

  watch([text, isChanged], () => {
    if (isChanged.value)
      drafts.keep(place, saved.value.id, { name: first.name, ...text.value, baseVersion: baseVersion.value })
    else drafts.drop(place, saved.value.id)
  })
  function write(next: PromptText): void {
    description.value = next.description
    content.value = next.content
  }
  function accept(next: Prompt): void {
    // What was kept under another id is this text too.
    if (next.id !== saved.value.id) forget()
    saved.value = next
    baseVersion.value = next.version
  }
  const forget = (): void => drafts.drop(place, saved.value.id)
  const isRestored = draft !== undefined
  return { saved, baseVersion, description, content, text, isChanged, isRestored, write, accept, forget }
}
