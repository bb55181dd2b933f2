import { openBusinessStore } from '@oncall-agent/backend'
import { createHash } from 'node:crypto'

export interface ManyFacts {
  readonly data: string
  readonly userId: string
  readonly baseId: string
  readonly documents: number
  /** Documents that have a finished task of indexing, the last ones. */
  readonly tasks: number
}

type Store = ReturnType<typeof openBusinessStore>
/** Rows of one transaction: a server that runs meanwhile waits no longer than that. */
const AT_ONCE = 1_000

/** Writes facts as uploads would have left them, without their files: lists ask for nothing else. */
export async function insertManyFacts(facts: ManyFacts): Promise<void> {
  const store = openBusinessStore(facts.data)
  try {
    for (let from = 0; from < facts.documents; from += AT_ONCE) {
      await store.transaction(async (tables) => {
        for (let at = from; at < Math.min(from + AT_ONCE, facts.documents); at++) await insertOne(tables, facts, at)
      })
    }
  } finally {
    await store.close()
  }
}

async function insertOne(
  tables: Parameters<Parameters<Store['transaction']>[0]>[0],
  { userId, baseId, documents, tasks }: ManyFacts,
  at: number
): Promise<void> {
  const now = Date.now()
  const id = `many-${at}`
  const fileName = `runbook-${String(at).padStart(5, '0')}.md`
  const content = {
    fileName,
    mediaType: 'text/markdown',
    format: 'markdown' as const,
    byteSize: 1_000 + at,
    sha256: createHash('sha256').update(id).digest('hex'),
    form: { detectErrorCodes: false },
    uploadedBy: userId
  }
  await tables.documents.insert({ id, tenantId: userId, knowledgeBaseId: baseId, ...content }, now)
  if (at < documents - tasks) return
  const task = { id: `task-${at}`, tenantId: userId, knowledgeBaseId: baseId, documentId: id, documentVersion: 1 }
  await tables.indexTasks.insert({ ...task, fileName, retryOfTaskId: null, requestedBy: userId, createdAt: now })
  await tables.indexTasks.begin(task.id, 1, now)
  await tables.indexTasks.progress(task.id, 7, 7)
  await tables.indexTasks.finish(task.id, { status: 'succeeded' }, now + 1_000)
}
