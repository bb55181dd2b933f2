import type { DocumentView, IndexTask } from '@oncall-agent/api-contracts'

const MINUTE = 60_000
/** Rows that the history must draw in less than a second. */
const PAST_TASKS = 200
const QUEUED_MS = 1_500
const CHUNKS = 40
const CHUNK_MS = 200

/** A task is told by when it began: what it is now follows from the clock. */
export interface MockTask extends IndexTask {
  readonly beganAt: number | null
}

export function newTask(id: string, document: DocumentView, retryOfTaskId: string | null): MockTask {
  const now = Date.now()
  return {
    id,
    documentId: document.id,
    knowledgeBaseId: document.knowledgeBaseId,
    documentVersion: document.version,
    fileName: document.fileName,
    status: 'pending',
    reason: null,
    attempt: 0,
    progress: { chunksEmbedded: 0, chunksTotal: null },
    cancelRequested: false,
    retryOfTaskId,
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    beganAt: now
  }
}

export function taskNow(task: MockTask): IndexTask {
  const { beganAt, ...shown } = task
  const running = Date.now() - (beganAt ?? 0) - QUEUED_MS
  if (beganAt === null || running < 0) return shown
  const done = Math.min(CHUNKS, Math.floor(running / CHUNK_MS))
  const ended = done === CHUNKS
  return {
    ...shown,
    status: ended ? 'succeeded' : 'running',
    attempt: 1,
    progress: { chunksEmbedded: done, chunksTotal: CHUNKS },
    startedAt: beganAt + QUEUED_MS,
    finishedAt: ended ? beganAt + QUEUED_MS + CHUNKS * CHUNK_MS : null
  }
}

const reasons = [
  { code: 'DOCUMENT_UNREADABLE', message: 'The PDF is encrypted; remove its password and upload it again.' },
  { code: 'SYSTEM_UNAVAILABLE', message: 'The embedder did not answer within 30 s.' },
  { code: 'STORAGE_FULL', message: 'No space is left.' }
] as const

export function pastTasks(documents: readonly DocumentView[]): MockTask[] {
  return Array.from({ length: PAST_TASKS }, (_each, index) => {
    const failed = index % 4 === 1
    const cancelled = index % 9 === 4 && !failed
    const createdAt = Date.now() - (index + 1) * 47 * MINUTE
    return {
      ...newTask(
        `task-past-${index}`,
        documents[index % documents.length]!,
        index % 5 === 2 ? `task-past-${index + 1}` : null
      ),
      status: failed ? 'failed' : cancelled ? 'cancelled' : 'succeeded',
      reason: failed ? reasons[index % reasons.length]! : null,
      attempt: failed ? 3 : 1,
      createdAt,
      startedAt: createdAt + 900,
      finishedAt: createdAt + 900 + index * 137,
      beganAt: null
    }
  })
}
