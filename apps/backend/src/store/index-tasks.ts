import type { Failure, IndexTask, Page } from '@oncall-agent/api-contracts'
import type { Kysely, Selectable } from 'kysely'
import { nextSequence } from './next-sequence.ts'
import type { BusinessSchema } from './schema.ts'
import { pageOfRows, type PageRequest, pageStart } from './sequence-page.ts'

export interface NewIndexTask {
  readonly id: string
  readonly tenantId: string
  readonly knowledgeBaseId: string
  readonly documentId: string
  readonly documentVersion: number
  readonly fileName: string
  readonly retryOfTaskId: string | null
  readonly requestedBy: string
  readonly createdAt: number
}

/** How a task ended. Final: a task that has ended is never changed again. */
export type TaskEnd =
  | { readonly status: 'succeeded' | 'cancelled' }
  | { readonly status: 'failed'; readonly reason: Failure }

/** Tasks of what: a base or one document. */
export type TasksOf = { readonly knowledgeBaseId: string } | { readonly documentId: string }

/**
 * Attempts to index documents. States: pending → running (`begin`) → succeeded | failed | cancelled (`finish`);
 * pending → cancelled too. At most one task of a document is pending or running.
 */
export interface IndexTaskFacts {
  find(taskId: string): Promise<IndexTask | undefined>
  list(of: TasksOf, page: PageRequest): Promise<Page<IndexTask>>
  /** The task of a document, or those of a base, that have not ended. */
  open(of: TasksOf): Promise<readonly IndexTask[]>
  /** Documents that have a task which has not ended. */
  openDocuments(): Promise<ReadonlySet<string>>
  /** False when the document has a task that has not ended. */
  insert(task: NewIndexTask): Promise<boolean>
  /** True when it is running now; false when it had ended. Progress begins again. */
  begin(taskId: string, attempt: number, now: number): Promise<boolean>
  /** @param embedded chunks of `total` that have their vectors */
  progress(taskId: string, embedded: number, total: number): Promise<void>
  /** True when it ended by this; false when it had ended. */
  finish(taskId: string, end: TaskEnd, now: number): Promise<boolean>
  /** True while what the task made may be shown: it is running, and neither document nor base is deleted. */
  mayPublish(taskId: string): Promise<boolean>
}

export function indexTaskFacts(database: Kysely<BusinessSchema>): IndexTaskFacts {
  return {
    find: (id) => findTask(database, id),
    list: (of, page) => listTasks(database, of, page),
    open: (of) => openTasks(database, of),
    openDocuments: () => openDocuments(database),
    insert: (task) => insertTask(database, task),
    begin: (id, attempt, now) => beginTask(database, { id, attempt, now }),
    progress: (id, embedded, total) => recordProgress(database, { id, embedded, total }),
    finish: (id, end, now) => finishTask(database, { id, end, now }),
    mayPublish: (id) => mayPublish(database, id)
  }
}

const OPEN = ['pending', 'running'] as const

function taskOf(row: Selectable<BusinessSchema['index_task']>): IndexTask {
  return {
    id: row.id,
    documentId: row.document_id,
    knowledgeBaseId: row.knowledge_base_id,
    documentVersion: row.document_version,
    fileName: row.file_name,
    status: row.status,
    reason: row.reason_json === null ? null : (JSON.parse(row.reason_json) as Failure),
    attempt: row.attempt,
    progress: { chunksEmbedded: row.chunks_embedded, chunksTotal: row.chunks_total },
    cancelRequested: row.cancel_requested === 1,
    retryOfTaskId: row.retry_of_task_id,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at
  }
}

function tasksOf(database: Kysely<BusinessSchema>, of: TasksOf) {
  const tasks = database.selectFrom('index_task')
  return 'documentId' in of
    ? tasks.where('document_id', '=', of.documentId)
    : tasks.where('knowledge_base_id', '=', of.knowledgeBaseId)
}

async function findTask(database: Kysely<BusinessSchema>, id: string): Promise<IndexTask | undefined> {
  const row = await database.selectFrom('index_task').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? undefined : taskOf(row)
}

async function listTasks(database: Kysely<BusinessSchema>, of: TasksOf, page: PageRequest): Promise<Page<IndexTask>> {
  const rows = await tasksOf(database, of)
    .selectAll()
    .where('sequence', '<', pageStart(page))
    .orderBy('sequence', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { total } = await tasksOf(database, of)
    .select((count) => count.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return pageOfRows(rows, page, total, taskOf)
}

/** Oldest first. */
async function openTasks(database: Kysely<BusinessSchema>, of: TasksOf): Promise<readonly IndexTask[]> {
  const rows = await tasksOf(database, of).selectAll().where('status', 'in', OPEN).orderBy('sequence').execute()
  return rows.map(taskOf)
}

async function openDocuments(database: Kysely<BusinessSchema>): Promise<ReadonlySet<string>> {
  const rows = await database.selectFrom('index_task').select('document_id').where('status', 'in', OPEN).execute()
  return new Set(rows.map((row) => row.document_id))
}

async function insertTask(database: Kysely<BusinessSchema>, task: NewIndexTask): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('index_task')
    .values({
      id: task.id,
      sequence: nextSequence('index_task'),
      tenant_id: task.tenantId,
      knowledge_base_id: task.knowledgeBaseId,
      document_id: task.documentId,
      document_version: task.documentVersion,
      file_name: task.fileName,
      status: 'pending',
      reason_json: null,
      chunks_total: null,
      retry_of_task_id: task.retryOfTaskId,
      requested_by: task.requestedBy,
      created_at: task.createdAt,
      started_at: null,
      finished_at: null
    })
    // Id and sequence are new, so only the index of open tasks can refuse it.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

interface Beginning {
  readonly id: string
  readonly attempt: number
  readonly now: number
}

/** A task that runs may begin again: the process that had it died, or its attempt failed. The first start is kept. */
async function beginTask(database: Kysely<BusinessSchema>, { id, attempt, now }: Beginning): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('index_task')
    .set((set) => ({
      status: 'running',
      attempt,
      chunks_embedded: 0,
      chunks_total: null,
      started_at: set.fn.coalesce('started_at', set.val(now))
    }))
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

interface Progress {
  readonly id: string
  readonly embedded: number
  readonly total: number
}

/** A late write of an attempt that was cancelled changes nothing. */
async function recordProgress(database: Kysely<BusinessSchema>, { id, embedded, total }: Progress): Promise<void> {
  await database
    .updateTable('index_task')
    .set({ chunks_embedded: embedded, chunks_total: total })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()
}

interface Ending {
  readonly id: string
  readonly end: TaskEnd
  readonly now: number
}

async function finishTask(database: Kysely<BusinessSchema>, { id, end, now }: Ending): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('index_task')
    .set((set) => ({
      status: end.status,
      reason_json: end.status === 'failed' ? JSON.stringify(end.reason) : null,
      // "While it was running": the status before.
      ...(end.status === 'cancelled'
        ? { cancel_requested: set.case().when('status', '=', 'running').then(1).else(0).end() }
        : {}),
      finished_at: now
    }))
    .where('id', '=', id)
    .where('status', 'in', OPEN)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** One query, so that nothing can change between its parts. */
async function mayPublish(database: Kysely<BusinessSchema>, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('index_task')
    .innerJoin('document', 'document.id', 'index_task.document_id')
    .innerJoin('knowledge_base', 'knowledge_base.id', 'document.knowledge_base_id')
    .select('index_task.id')
    .where('index_task.id', '=', id)
    .where('index_task.status', '=', 'running')
    .where('document.status', '=', 'active')
    .where('knowledge_base.deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
