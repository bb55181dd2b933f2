import { AppError } from '@oncall-agent/api-contracts'

/** Why a document was refused; stable words for programs and translations, in `details.reason`. */
export type UnreadableReason =
  | 'empty'
  | 'no-text'
  | 'headings-only'
  | 'binary'
  | 'wrong-extension'
  | 'encoding'
  | 'pdf-no-text-layer'
  | 'pdf-no-usable-text'
  | 'pdf-encrypted'
  | 'pdf-damaged'
  | 'docx-encrypted'
  | 'docx-damaged'
  | 'docx-unsafe'
  | 'unpacks-too-large'
  | 'too-complex'
  | 'too-slow'
  | 'too-much-memory'
  | 'reader-died'

/**
 * The error of one document that cannot be read.
 * @param name the file as the person knows it; it begins the message
 * @param problem the rest of the sentence, in words for a person
 */
export function unreadable(
  name: string,
  reason: UnreadableReason,
  problem: string,
  more: { hint?: string; cause?: unknown } = {}
): AppError {
  return new AppError('DOCUMENT_UNREADABLE', {
    operation: 'read document',
    subject: name,
    message: `${name} ${problem}`,
    details: { file: name, reason },
    ...more
  })
}

/** A bound was passed; the message says which, how much is allowed and how much there was. */
export function tooLarge(name: string, what: string, limit: number, actual: number): AppError {
  const size = `${format(actual)} ${what}`
  return new AppError('PAYLOAD_TOO_LARGE', {
    operation: 'read document',
    subject: name,
    message: `${name} is too large: ${size}, and ${format(limit)} are allowed`,
    hint: 'Split the document, or raise the limit in the settings under "documents".',
    details: { file: name, what, limit, actual }
  })
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}
