import type { DocumentView, IndexTask, IndexTaskStatus, KnowledgeBaseView } from '@oncall-agent/api-contracts'

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'plain'

/** States that a list of documents can be narrowed to, in the order in which they are offered. */
export const documentStates = ['indexed', 'indexing', 'pending', 'failed'] as const

/** Only the owner's own uploads can be changed here: shared bases and folders of the server are read. */
export function isWritable(base: KnowledgeBaseView): boolean {
  return base.access === 'owner' && base.origin === 'uploads'
}

export function isActive(task: IndexTask): boolean {
  return task.status === 'pending' || task.status === 'running'
}

/** Share of the chunks that are embedded, 0..1; null while their number is not known. */
export function shareOf({ progress }: IndexTask): number | null {
  return progress.chunksTotal === null || progress.chunksTotal === 0
    ? null
    : progress.chunksEmbedded / progress.chunksTotal
}

/** The newest task of each document; `tasks` are newest first. */
export function newestByDocument(tasks: readonly IndexTask[]): ReadonlyMap<string, IndexTask> {
  return new Map(tasks.toReversed().map((task) => [task.documentId, task]))
}

/** `outdated`: an older version is retrievable while the newest is not indexed. */
export type ShownState = DocumentView['indexStatus'] | 'outdated'

export function shownState(document: DocumentView): ShownState {
  const older = document.indexedVersion !== null && document.indexedVersion < document.version
  return older && document.indexStatus === 'pending' ? 'outdated' : document.indexStatus
}

export const stateTones: Readonly<Record<ShownState, Tone>> = {
  pending: 'plain',
  indexing: 'busy',
  indexed: 'good',
  failed: 'bad',
  outdated: 'warn'
}

export const taskTones: Readonly<Record<IndexTaskStatus, Tone>> = {
  pending: 'plain',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'warn'
}
