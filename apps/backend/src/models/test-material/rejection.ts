import { inspect } from 'node:util'
import { PortError } from '@oncall-agent/retrieval'
import { RemoteFailure } from '../call/remote-failure.ts'

/** The PortError that a promise is rejected with; anything else fails the test. */
export async function portErrorOf(promise: Promise<unknown>): Promise<PortError> {
  const thrown: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error
  )
  if (thrown instanceof PortError) return thrown
  throw thrown
}

/** The value of a promise, or what its PortError says. */
export async function outcomeOf<T>(promise: Promise<T>): Promise<T | string> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof PortError) return error.message
    throw error
  }
}

/** The failed call behind a PortError. */
export function remoteFailureOf({ cause }: PortError): RemoteFailure {
  if (cause instanceof RemoteFailure) return cause
  throw new Error('the cause is no failed call', { cause })
}

/** Everything that a log, a debugger or a careless caller could print of a value. */
export function everythingIn(value: unknown): string {
  return `${inspect(value, { depth: 12, showHidden: true })} ${JSON.stringify(value)} ${String(value)}`
}
