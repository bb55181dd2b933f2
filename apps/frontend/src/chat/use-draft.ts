import { computed, type Ref, ref, watch } from 'vue'
import { remembered } from '../preferences/remembered.ts'
import { useSession } from '../session/session-store.ts'

const NEW = 'new'

/**
 * What was typed and is not sent yet, and which knowledge bases it is to be asked of (none: all). Kept in this browser
 * by person and conversation, so that it outlives a failed send, a reload and another room.
 */
export function useDraft(conversationId: Readonly<Ref<string | null>>) {
  const memory = remembered('oncall.chat')
  // Of who opened the room: whoever signs in after them opens another one.
  const user = useSession().user?.id ?? 'local'
  const place = computed(() => `${user}.${conversationId.value ?? NEW}`)
  const read = (): { text: string; bases: readonly string[] } => ({
    text: memory.read(`draft.${place.value}`) ?? '',
    bases: (memory.read(`bases.${place.value}`) ?? '').split('/').filter((id) => id !== '')
  })
  const first = read()
  const text = ref(first.text)
  const bases = ref<string[]>([...first.bases])
  watch(text, (now) => memory.write(`draft.${place.value}`, now))
  watch(bases, (now) => memory.write(`bases.${place.value}`, now.join('/')))
  // A new conversation got its id: what was typed moves along with it.
  watch(place, (_now, before) => {
    memory.write(`draft.${before}`, '')
    memory.write(`bases.${before}`, '')
    memory.write(`draft.${place.value}`, text.value)
    memory.write(`bases.${place.value}`, bases.value.join('/'))
  })
  return { text, bases }
}
