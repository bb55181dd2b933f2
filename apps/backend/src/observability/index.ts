export { createLogger, type Logger, type LoggerOptions } from './logger.ts'
export { redact } from './redact.ts'
export { translatePortError } from './translate-port-error.ts'
export { type Probe, probeAll } from './probe.ts'
