import { redact, redactText } from './redact.ts'

/** One error of a chain as it is logged. */
export interface SerialisedError {
  readonly name: string
  readonly message: string
  readonly stack?: string
  /** Own fields such as `code`, `operation`, `subject`, `hint`, `failure`. */
  readonly fields?: unknown
  readonly cause?: SerialisedError
}

/** "stage ← engine ← library ← system" and some more; a longer chain repeats itself. */
const CAUSES_LIMIT = 8
const standardFields = new Set(['name', 'message', 'stack', 'cause'])

/** The whole chain of causes without secrets; what was thrown need not be an Error. */
export function serialiseError(thrown: unknown, depth = 0): SerialisedError {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: redactText(describe(thrown)) }
  const own = Object.fromEntries(Object.entries(thrown).filter(([name]) => !standardFields.has(name)))
  return {
    name: thrown.name,
    message: redactText(thrown.message),
    ...(thrown.stack ? { stack: redactText(thrown.stack) } : {}),
    ...(Object.keys(own).length > 0 ? { fields: redact(own) } : {}),
    ...(thrown.cause !== undefined && depth < CAUSES_LIMIT ? { cause: serialiseError(thrown.cause, depth + 1) } : {})
  }
}

function describe(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  try {
    return JSON.stringify(redact(thrown)) ?? 'an object'
  } catch {
    // A getter or a toJSON that throws must not hide that something was thrown.
    return 'an object that cannot be shown'
  }
}
