import { ApiError } from '@oncall-agent/api-contracts'
import { onMounted, ref } from 'vue'
import { useApi } from '../api/page-api.ts'

/** What is known of a document now: its version that can be searched, that it is gone, or nothing yet. */
export type DocumentNow = { readonly state: 'unknown' } | { readonly state: 'gone' } | DocumentThere
interface DocumentThere {
  readonly state: 'there'
  /** Null while no version of it can be searched. */
  readonly version: number | null
}

/** Asks once whether a document is still as it was when it was cited. */
export function useDocumentNow(documentId: string) {
  const api = useApi()
  const now = ref<DocumentNow>({ state: 'unknown' })
  onMounted(async () => {
    try {
      const { indexedVersion } = await api.document({ params: { id: documentId } })
      now.value = { state: 'there', version: indexedVersion }
    } catch (error) {
      // Anything but "it does not exist" leaves it open: the way to the document says what is wrong.
      if (error instanceof ApiError && error.code === 'NOT_FOUND') now.value = { state: 'gone' }
    }
  })
  return now
}
