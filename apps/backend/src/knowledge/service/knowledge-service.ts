import type {
  DocumentChunk,
  DocumentsQuery,
  DocumentText,
  DocumentView,
  IndexTask,
  KnowledgeBaseChange,
  KnowledgeBaseView,
  NewKnowledgeBase,
  Page,
  Reader,
  UploadAnswer,
  UploadForm
} from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { PageRequest } from '../../store/index.ts'

/** A file of an upload that lies in the data folder and belongs to no document yet. */
export interface ReceivedFile {
  /** As the client named it; never used as a path. */
  readonly fileName: string
  readonly path: string
  readonly byteSize: number
  readonly sha256: string
}

/** A stored file, to be sent as it was uploaded. */
export interface StoredContent {
  readonly fileName: string
  readonly mediaType: string
  readonly byteSize: number
  readonly sha256: string
  readonly path: string
}

/**
 * Everything that a person or a key can do with knowledge bases and documents. An id that the caller may not see is
 * NOT_FOUND; one that they may read and not change is AUTH_FORBIDDEN.
 */
export interface KnowledgeService {
  createBase(caller: Caller, base: NewKnowledgeBase): Promise<KnowledgeBaseView>
  bases(caller: Caller, page: PageRequest): Promise<Page<KnowledgeBaseView>>
  base(caller: Caller, baseId: string): Promise<KnowledgeBaseView>
  changeBase(caller: Caller, baseId: string, change: KnowledgeBaseChange): Promise<KnowledgeBaseView>
  deleteBase(caller: Caller, baseId: string): Promise<void>
  readers(caller: Caller, baseId: string, page: PageRequest): Promise<Page<Reader>>
  /** @param person their id or user name */
  addReader(caller: Caller, baseId: string, person: string): Promise<Reader>
  removeReader(caller: Caller, baseId: string, person: string): Promise<void>

  /**
   * Writes a file that is arriving to the data folder.
   * @throws AppError PAYLOAD_TOO_LARGE, STORAGE_FULL; nothing is left of it then
   */
  receive(fileName: string, content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>
  /** Removes received files that became no document; those that did are left alone. */
  discard(files: readonly ReceivedFile[]): Promise<void>
  /** Each file is taken or refused for itself. @throws AppError of the first file when none was taken */
  upload(caller: Caller, baseId: string, form: UploadForm, files: readonly ReceivedFile[]): Promise<UploadAnswer>
  replace(caller: Caller, documentId: string, form: UploadForm, file: ReceivedFile): Promise<UploadAnswer>

  documents(caller: Caller, baseId: string, query: DocumentsQuery): Promise<Page<DocumentView>>
  document(caller: Caller, documentId: string): Promise<DocumentView>
  content(caller: Caller, documentId: string): Promise<StoredContent>
  text(caller: Caller, documentId: string, version: number | undefined): Promise<DocumentText>
  chunks(caller: Caller, documentId: string, page: PageRequest): Promise<Page<DocumentChunk>>
  deleteDocument(caller: Caller, documentId: string): Promise<void>

  createTask(caller: Caller, documentId: string): Promise<IndexTask>
  baseTasks(caller: Caller, baseId: string, page: PageRequest): Promise<Page<IndexTask>>
  documentTasks(caller: Caller, documentId: string, page: PageRequest): Promise<Page<IndexTask>>
  task(caller: Caller, taskId: string): Promise<IndexTask>
  retryTask(caller: Caller, taskId: string): Promise<IndexTask>
  cancelTask(caller: Caller, taskId: string): Promise<IndexTask>
}
