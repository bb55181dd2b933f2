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
  return formsOf(secrets).reduce((safe, form) => safe.replaceAll(form, HIDDEN), text)
}

/**
 * The secrets as servers send them back: as they are, without the scheme before them (`Bearer …`), inside of JSON and of an
 * address, and in base64. The longest first, for one may begin with another.
 */
function formsOf(secrets: Secrets): readonly string[] {
  const plain = Object.values(secrets).flatMap((secret) => [secret, secret.replace(/^[A-Za-z]+\s+/, '')])
  const forms = plain
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
      Buffer.from(secret).toString('base64')
    ])
  return [...new Set(forms)].toSorted((left, right) => right.length - left.length)
}

/** What went wrong and because of what, for the log. */
export function reasonsOf(thrown: unknown, secrets: Secrets): string {
  const reasons: string[] = []
  let cause = thrown
  while (cause instanceof Error && reasons.length < CAUSES) {
    // A parser quotes the beginning of what it could not read, cut so that no secret in it can be recognised.
    reasons.push(cause instanceof SyntaxError ? 'it is no JSON' : cause.message)
    cause = cause.cause
  }
  return withoutSecrets(reasons.join('; because: '), secrets)
}
