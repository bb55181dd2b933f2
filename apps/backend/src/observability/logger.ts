import pino, { type DestinationStream, type Logger } from 'pino'
import { HIDDEN, redact, redactText } from './redact.ts'
import { requestFields } from './request-context.ts'
import { serialiseError } from './serialise-error.ts'

export type { Logger } from 'pino'

const SHORTEST_SECRET = 6

export interface LoggerOptions {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
  /** Where the lines go; standard error when absent, because standard output belongs to answers. */
  readonly destination?: DestinationStream
  /** Values that must never be written, whatever they stand in: a server may quote the key that it refuses. */
  readonly secrets?: readonly string[]
}

/**
 * One JSON line an event: `level`, `time` (ISO), `msg`, and what the event adds. Bind ids with `logger.child({ requestId })`
 * or `{ runId }`. An error goes under `err` and is written with its chain of causes. Secrets are hidden everywhere.
 */
export function createLogger(options: LoggerOptions): Logger {
  // As they stand inside a line of JSON. A very short one is no secret, and would tear holes into every line.
  const secrets = (options.secrets ?? [])
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
  const logger = pino(
    {
      level: options.level,
      base: null,
      mixin: () => ({ ...requestFields() }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (event) => redactFields(event)
      },
      serializers: { err: (error: unknown) => (error instanceof Error ? serialiseError(error) : error) },
      hooks: {
        logMethod(args, log) {
          log.apply(this, withSafeMessage(args))
        },
        streamWrite: (line) => secrets.reduce((safeLine, secret) => safeLine.replaceAll(secret, HIDDEN), line)
      }
    },
    unfailing(options.destination ?? standardError())
  )
  // Pino forgets a formatter of bindings in children; they inherit this method instead.
  const bind: typeof logger.child = logger.child
  const bindSafely = function bindSafely(this: Logger, fields: Record<string, unknown>, childOptions?: object) {
    return bind.call(this, redactFields(fields), childOptions)
  }
  logger.child = bindSafely as typeof logger.child
  return logger
}

/** Bytes that wait while standard error takes none; what comes beyond them is dropped. */
const WAITING_BYTES = 1_048_576

function standardError(): DestinationStream {
  const stream = pino.destination({ fd: 2, sync: true, maxLength: WAITING_BYTES })
  // Without a listener an error of writing would end the process.
  stream.on('error', () => undefined)
  return stream
}

/**
 * A line that can not be written (a full disk, a reader that went) is lost, and the work that it tells of goes on: a
 * request must not fail because of its log.
 */
function unfailing(destination: DestinationStream): DestinationStream {
  return {
    write: (line) => {
      try {
        destination.write(line)
      } catch {
        // There is nowhere left to say it.
      }
    }
  }
}

/** The message is no field, and pino takes it from the error when the event has none; so it is made safe here. */
function withSafeMessage<Args extends unknown[]>(args: Args): Args {
  const [event, message, ...rest] = args
  if (event instanceof Error)
    return [{ err: event }, safe(message ?? event.message), ...rest.map(safe)] as unknown as Args
  const cause = typeof event === 'object' && event !== null && 'err' in event ? event.err : undefined
  if (message === undefined && cause instanceof Error) return [event, safe(cause.message)] as unknown as Args
  return args.map(safe) as Args
}

function safe(part: unknown): unknown {
  return typeof part === 'string' ? redactText(part) : part
}

/** Errors become plain objects first; what pino adds itself (level, time) holds no secret. */
function redactFields(event: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(event).map(([name, value]) => [
    name,
    value instanceof Error ? serialiseError(value) : value
  ])
  return redact(Object.fromEntries(entries)) as Record<string, unknown>
}
