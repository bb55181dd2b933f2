/** Digits of the sequence at least; more chunks simply take more. */
const SEQUENCE_DIGITS = 4

/** The stable id of a chunk: `<documentId>#<sequence>`, the sequence from 0 with at least four digits. */
export function chunkIdOf(documentId: string, sequence: number): string {
  return `${documentId}#${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`
}
