import { AppError } from '@oncall-agent/api-contracts'

/** Why an answer ends before its end. Their messages are stored with the answer and shown. */
export function stopped(): AppError {
  return new AppError('CANCELLED', { operation: 'write answer', message: 'The answer was stopped.' })
}

/** The conversation was deleted, or another process took this one for dead. */
export function lost(): AppError {
  return new AppError('CANCELLED', { operation: 'write answer', message: 'The answer is not kept any more.' })
}

export function closing(): AppError {
  const message = 'The server stopped while the answer was being written; what was written is kept.'
  return new AppError('SYSTEM_UNAVAILABLE', { operation: 'write answer', message })
}
