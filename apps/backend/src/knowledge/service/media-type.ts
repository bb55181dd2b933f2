import type { DocumentFormatName } from '@oncall-agent/api-contracts'

const mediaTypes: Record<DocumentFormatName, string> = {
  markdown: 'text/markdown',
  text: 'text/plain',
  pdf: 'application/pdf',
  html: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
}

/** Without a charset: a text is stored as it was uploaded, in whatever encoding. */
export function mediaTypeOf(format: DocumentFormatName): string {
  return mediaTypes[format]
}
