import { AppError, type ErrorCode } from '@oncall-agent/api-contracts'
import { PortError, type PortFailure } from '@oncall-agent/retrieval'

/** What a failure of an engine or a model is called in the public catalogue. */
const codeOf: Record<PortFailure, ErrorCode> = {
  'invalid-argument': 'INTERNAL',
  unavailable: 'SYSTEM_UNAVAILABLE',
  locked: 'DATA_LOCKED',
  'disk-full': 'STORAGE_FULL',
  corrupt: 'DATA_CORRUPT',
  'newer-format': 'DATA_FORMAT_NEWER',
  'model-mismatch': 'INDEX_MODEL_MISMATCH',
  closed: 'SYSTEM_UNAVAILABLE'
}

/** Failures whose own words are what the operator needs: they name a file, a version or a model of this machine. */
const tellsItself: ReadonlySet<PortFailure> = new Set(['newer-format', 'model-mismatch', 'corrupt'])

/** The catalogue's error for whatever a port threw; anything that is no PortError is given back as it is. */
export function translatePortError(thrown: unknown): unknown {
  if (!(thrown instanceof PortError)) return thrown
  return new AppError(codeOf[thrown.failure], {
    operation: thrown.operation,
    subject: thrown.subject,
    hint: thrown.hint,
    cause: thrown,
    ...(tellsItself.has(thrown.failure) ? { message: thrown.message } : {})
  })
}
