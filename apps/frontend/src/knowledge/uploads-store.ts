import type { UploadAnswer } from '@oncall-agent/api-contracts'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { type UploadApi, useUploadApi } from '../api/page-api.ts'
import { type Problem, problemOf } from '../api/problem.ts'
import { useSession } from '../session/session-store.ts'
import { randomId } from '../ui/random-id.ts'
import type { UploadFields } from './upload-fields.ts'

/** Files sent at once: two keep the line busy while one is being stored. */
const AT_ONCE = 2

/** `waiting → sending → taken | refused`; a refused one can be sent again, one cut off by the session's end waits. */
export interface Upload {
  readonly id: string
  readonly baseId: string
  readonly file: File
  readonly fields: UploadFields
  state: 'waiting' | 'sending' | 'taken' | 'refused'
  /** Sent share of the bytes, 0..1. */
  share: number
  problem: Problem | null
}

/** Files on their way to the server. They outlive the room, so that one can look elsewhere meanwhile. */
export const useUploads = defineStore('uploads', () => {
  const uploadApi = useUploadApi()
  const session = useSession()
  const all = ref<Upload[]>([])
  /** Grows with each file that was taken; lists look again when it does. */
  const taken = ref(0)
  const open = computed(() => all.value.filter(({ state }) => state === 'waiting' || state === 'sending'))

  function add(baseId: string, files: readonly File[], fields: UploadFields): void {
    const added = files.map((file): Upload => ({
      id: randomId(),
      baseId,
      file,
      fields,
      state: 'waiting',
      share: 0,
      problem: null
    }))
    all.value = [...all.value, ...added]
    sendNext()
  }
  function again(upload: Upload): void {
    Object.assign(upload, { state: 'waiting', share: 0, problem: null })
    sendNext()
  }
  function clear(baseId: string): void {
    all.value = all.value.filter((each) => each.baseId !== baseId || open.value.includes(each))
  }
  function sendNext(): void {
    // Nobody is signed in: each would be refused. They are sent when somebody is.
    if (session.phase === 'out') return
    const sending = all.value.filter(({ state }) => state === 'sending').length
    const next = all.value.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - sending)
    for (const upload of next) void send(upload)
  }
  async function send(upload: Upload): Promise<void> {
    upload.state = 'sending'
    try {
      const answer = await sendFile(uploadApi, upload)
      upload.problem = refusalIn(answer)
      upload.state = upload.problem === null ? 'taken' : 'refused'
      if (upload.state === 'taken') taken.value++
    } catch (error) {
      const problem = problemOf(error)
      const cutOff = problem?.code === 'AUTH_REQUIRED' && session.phase === 'out'
      Object.assign(upload, cutOff ? { state: 'waiting', share: 0 } : { state: 'refused', problem })
    }
    sendNext()
  }
  watch(
    () => session.phase,
    (phase) => {
      if (phase === 'in') sendNext()
    }
  )
  // Closing the tab would lose the files that are still waiting.
  addEventListener('beforeunload', (event) => {
    if (open.value.length > 0) event.preventDefault()
  })
  return { all, open, taken, add, again, clear }
})

/** One request a file: each has its own progress, reason and idempotency key. */
function sendFile(uploadApi: UploadApi, upload: Upload): Promise<UploadAnswer> {
  const { id, baseId, file, fields } = upload
  const api = uploadApi((share) => (upload.share = share))
  const files = [{ name: file.name, content: file }]
  return api.uploadDocuments({ params: { id: baseId }, form: fields, files, idempotencyKey: id })
}

function refusalIn({ refused }: UploadAnswer): Problem | null {
  const [first] = refused
  return first === undefined ? null : { code: first.code, message: first.message, requestId: '', details: {} }
}
