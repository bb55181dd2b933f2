import type { DocumentView } from '@oncall-agent/api-contracts'
import type { Caller } from '../../auth/index.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { mayOnlyRead, notFound, uploadedDocument } from './access.ts'
import { folderDocument } from './folder-documents.ts'

/** A document that the caller may change. @throws AppError NOT_FOUND; AUTH_FORBIDDEN when they may read it only */
export async function ownDocument(parts: KnowledgeParts, caller: Caller, documentId: string): Promise<DocumentView> {
  const uploaded = await uploadedDocument(parts, caller, documentId)
  if (uploaded?.in.access === 'owner') return uploaded.document
  if (uploaded !== undefined) throw mayOnlyRead(uploaded.in, documentId)
  const ofFolder = await folderDocument(parts, caller, documentId)
  throw ofFolder === undefined ? notFound('document', documentId) : mayOnlyRead(ofFolder.in, documentId)
}
