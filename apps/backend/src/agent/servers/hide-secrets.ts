import { redact } from '../../observability/index.ts'
import type { Secrets } from '../secrets/server-secrets.ts'

const HIDDEN = '[hidden]'
/** Characters; shorter values are no secrets, and would tear holes into every text. */
const SHORTEST_SECRET = 6
/** Errors in one another that are told. */
const CAUSES = 5

/** Text of a server, or about it, without the secrets that it was given and without what looks like one. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  return redact(withoutValues(text, secrets)) as string
}

/** Without the very values alone: what looks like a secret may be what was asked for. */
export function withoutValues(text: string, secrets: Secrets): string {
  return Object.values(secrets)
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((safe, secret) => safe.replaceAll(secret, HIDDEN), text)
}

/** What went wrong and because of what, for the log. */
export function reasonsOf(thrown: unknown, secrets: Secrets): string {
  const reasons: string[] = []
  let cause = thrown
  while (cause instanceof Error && reasons.length < CAUSES) {
    reasons.push(cause.message)
    cause = cause.cause
  }
  return withoutSecrets(reasons.join('; because: '), secrets)
}
