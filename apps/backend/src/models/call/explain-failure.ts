import { PortError } from '@oncall-agent/retrieval'
import type { RemoteFailure, RemoteFailureKind } from './remote-failure.ts'

/** What a person can do; none names the server, for hints may be shown to anyone. */
const hints: Record<RemoteFailureKind, string> = {
  'too-long': "Lower the model's maxTokens in the settings to what its server takes.",
  refused: 'Check that the model and its protocol in the settings are those of its server.',
  unauthorised: 'Check the API key of this model in the settings.',
  'unknown-address': 'Check baseUrl and model in the settings: the server does not know this address or this model.',
  busy: 'The server of this model is overloaded or restricts how often it is asked; try again later.',
  redirected: 'Set baseUrl to the address that the server redirects to.',
  'timed-out': 'The server of this model is slow or stalled; try again later, or raise its timeoutMs.',
  unreachable: 'Check that the server of this model runs, and that baseUrl in the settings is its address.',
  unreadable: 'Check that baseUrl in the settings is the address of the model itself, not of a page or a proxy.'
}

/** The failure as a port tells it; its cause has the status and a short code, and nothing that the server wrote. */
export function explainFailure(failure: RemoteFailure, operation: string, model: string): PortError {
  return new PortError('unavailable', {
    operation,
    subject: model,
    reason: failure.attempts > 1 ? `${failure.reason}, ${failure.attempts} times tried` : failure.reason,
    hint: hints[failure.kind],
    cause: failure
  })
}

/** An answer that came and cannot be used. `what` names positions and numbers, never what the server wrote. */
export function unusableAnswer(operation: string, model: string, what: string): PortError {
  return new PortError('unavailable', {
    operation,
    subject: model,
    reason: `the answer cannot be used: ${what}`,
    hint: 'Check that model and baseUrl in the settings belong together, and that the server speaks this protocol.'
  })
}
