import { AppError } from '@oncall-agent/api-contracts'

const layout =
  'A set is a folder with corpus.jsonl ({id,title,text,lang} a line), <half>/queries.jsonl ({id,text,lang} a line) and <half>/qrels.tsv (query, document, grade).'

/** A file of a set is not there or cannot be read. */
export function setUnreadable(path: string, cause: unknown): AppError {
  return new AppError('PATH_UNREADABLE', {
    operation: 'load an evaluation set',
    subject: path,
    message: `${path} could not be read.`,
    hint: layout,
    details: { path, reason: errorCodeOf(cause), hint: layout },
    cause
  })
}

/** A file of a set says something that a set must not say; `line` counts from 1, 0 is the file as a whole. */
export function setMalformed(path: string, line: number, reason: string): AppError {
  const place = line > 0 ? `${path}, line ${line}` : path
  return new AppError('VALIDATION_FAILED', {
    operation: 'load an evaluation set',
    subject: place,
    message: `${place}: ${reason}.`,
    hint: layout,
    details: { path, ...(line > 0 ? { line } : {}), reason, hint: layout }
  })
}

/** The system’s own word, such as ENOENT; safe to show. */
function errorCodeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
