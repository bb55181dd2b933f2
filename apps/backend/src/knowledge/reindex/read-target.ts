import { AppError, type ErrorCode } from '@oncall-agent/api-contracts'
import { readFromFile } from './read-from-file.ts'
import { readFromOldIndex } from './read-from-old-index.ts'
import type { Rebuilt } from './rebuilt.ts'
import type { ReindexRun } from './reindex-run.ts'
import { stateOf, type Target } from './targets.ts'

/** A document that is read, and what a person should know of it. */
export interface ReadTarget {
  readonly rebuilt: Rebuilt
  readonly warnings: readonly string[]
}

/** Errors of one document. All others, such as a full disk, end the run. */
const ofOneDocument: readonly ErrorCode[] = [
  'NOT_FOUND',
  'DOCUMENT_UNREADABLE',
  'PAYLOAD_TOO_LARGE',
  'PATH_UNREADABLE',
  'UNSUPPORTED_MEDIA_TYPE',
  'DATA_CORRUPT'
]

/**
 * Reads a document from its file, or, when that is gone or can not be read any more, from the old index. Undefined when
 * neither has it; that is reported.
 */
export async function readTarget(run: ReindexRun, target: Target): Promise<ReadTarget | undefined> {
  run.signal.throwIfAborted()
  run.tally.begin(target.source)
  let problem: AppError
  try {
    return { rebuilt: await readFromFile(run, target), warnings: [] }
  } catch (thrown) {
    problem = concerningOne(thrown)
  }
  try {
    const rebuilt = await readFromOldIndex(run, target)
    return { rebuilt, warnings: [`It was taken from the old index: ${problem.message}`] }
  } catch (thrown) {
    concerningOne(thrown)
    run.settled.set(target.documentId, stateOf(target))
    run.tally.failed(target, problem)
    return undefined
  }
}

/** @throws every error that does not concern one document only */
function concerningOne(thrown: unknown): AppError {
  if (thrown instanceof AppError && (ofOneDocument.includes(thrown.code) || isStoredFile(thrown))) return thrown
  throw thrown
}

/** A stored file that is gone is a fault of the data folder, and all the same one of this document only. */
function isStoredFile({ operation }: AppError): boolean {
  return operation === 'read stored file'
}
