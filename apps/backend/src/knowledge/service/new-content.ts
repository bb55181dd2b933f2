import type { UploadForm } from '@oncall-agent/api-contracts'
import type { DocumentForm, NewContent } from '../../store/index.ts'
import { sniffFormat } from '../extract/sniff.ts'
import type { KnowledgeParts } from '../knowledge-parts.ts'
import { displayName } from './display-name.ts'
import { readStored } from '../document-files.ts'
import type { ReceivedFile } from './knowledge-service.ts'
import { mediaTypeOf } from './media-type.ts'

export interface Offered {
  readonly file: ReceivedFile
  readonly form: DocumentForm
  readonly uploadedBy: string
}

/**
 * What a received file is: its name for people, and its format by that name, proved by the bytes. Whether it can be
 * read is found out when it is indexed.
 * @throws AppError VALIDATION_FAILED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, DOCUMENT_UNREADABLE
 */
export async function inspectFile(parts: KnowledgeParts, { file, form, uploadedBy }: Offered): Promise<NewContent> {
  const fileName = displayName(file.fileName)
  const bytes = await readStored(file.path, fileName, parts.settings.documents.maxFileBytes)
  const format = sniffFormat(fileName, bytes)
  const { byteSize, sha256 } = file
  return { fileName, format, mediaType: mediaTypeOf(format), byteSize, sha256, form, uploadedBy }
}

/** Without what is asked for once only. */
export function documentForm(given: UploadForm): DocumentForm {
  const { index: _, ...form } = given
  return form
}
