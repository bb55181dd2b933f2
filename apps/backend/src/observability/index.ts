export { createLogger, type Logger, type LoggerOptions } from './logger.ts'
export { HIDDEN, redact, redactText } from './redact.ts'
export { serialiseError, type SerialisedError } from './serialise-error.ts'
