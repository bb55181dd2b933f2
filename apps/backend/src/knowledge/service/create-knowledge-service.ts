import { rm } from 'node:fs/promises'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { changeBase, createBase, deleteBase, listBases, showBase } from './bases.ts'
import { deleteDocument } from './delete-document.ts'
import { shownName } from './display-name.ts'
import { writeIncoming } from '../document-files.ts'
import type { KnowledgeService } from './knowledge-service.ts'
import { documentChunks, documentContent, documentText, listDocuments, readableDocument } from './read-documents.ts'
import { addReader, listReaders, removeReader } from './readers.ts'
import { replace } from './replace.ts'
import { cancelTask, createTask, listBaseTasks, listDocumentTasks, retryTask, showTask } from './tasks.ts'
import { upload } from './upload.ts'

/** Everything that people do with knowledge bases and documents; indexing itself is done by the job handlers. */
export function createKnowledgeService(parts: KnowledgeParts): KnowledgeService {
  const { dataDirectory } = parts
  const maxBytes = parts.settings.documents.maxFileBytes
  return {
    createBase: (caller, base) => createBase(parts, caller, base),
    bases: (caller, page) => listBases(parts, caller, page),
    base: (caller, baseId) => showBase(parts, caller, baseId),
    changeBase: (caller, baseId, change) => changeBase(parts, { caller, baseId }, change),
    deleteBase: (caller, baseId) => deleteBase(parts, caller, baseId),
    readers: (caller, baseId, page) => listReaders(parts, { caller, baseId }, page),
    addReader: (caller, baseId, person) => addReader(parts, { caller, baseId, person }),
    removeReader: (caller, baseId, person) => removeReader(parts, { caller, baseId, person }),

    receive: async (fileName, content) => {
      const arriving = { fileName: shownName(fileName), content, maxBytes }
      return { fileName, ...(await writeIncoming(dataDirectory, arriving)) }
    },
    discard: async (files) => {
      // Those that became documents were moved: nothing is left at their path.
      for (const { path } of files) await rm(path, { force: true })
    },
    upload: (caller, baseId, form, files) => upload(parts, { caller, baseId, form, files }),
    replace: (caller, documentId, form, file) => replace(parts, { caller, documentId, form, file }),

    documents: (caller, baseId, query) => listDocuments(parts, { caller, baseId }, query),
    document: async (caller, documentId) => (await readableDocument(parts, { caller, documentId })).document,
    content: (caller, documentId) => documentContent(parts, { caller, documentId }),
    text: (caller, documentId, version) => documentText(parts, { caller, documentId }, version),
    chunks: (caller, documentId, page) => documentChunks(parts, { caller, documentId }, page),
    deleteDocument: (caller, documentId) => deleteDocument(parts, { caller, documentId }),

    createTask: (caller, documentId) => createTask(parts, { caller, documentId }),
    baseTasks: (caller, baseId, page) => listBaseTasks(parts, { caller, baseId }, page),
    documentTasks: (caller, documentId, page) => listDocumentTasks(parts, { caller, documentId }, page),
    task: (caller, taskId) => showTask(parts, { caller, taskId }),
    retryTask: (caller, taskId) => retryTask(parts, { caller, taskId }),
    cancelTask: (caller, taskId) => cancelTask(parts, { caller, taskId })
  }
}
