/** What stands in the place of a secret. */
export const HIDDEN = '[hidden]'

/** Names whose values are secrets, in any spelling: apiKey, api_key, X-Api-Key, authorization, clientSecret … */
const secretName =
  /(api[-_]?key|access[-_]?key|private[-_]?key|secret|password|passwd|passphrase|authorization|cookie|credential|bearer|(^|[-_])token$|(access|refresh|session|auth|id)[-_]?token)/i

/** Secrets inside text: credentials of a URL, values of secret query parameters, authorization schemes, known key shapes. */
const secretPatterns: readonly (readonly [RegExp, string])[] = [
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi, `$1${HIDDEN}@`],
  [/([?&][^=&\s]*(?:key|token|secret|password|signature)[^=&\s]*=)[^&\s"']+/gi, `$1${HIDDEN}`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [
    /((?:api[-_]?key|password|secret|access[-_]?token|authorization)["']?\s*[:=]\s*["']?)(?!Bearer\b|Basic\b|\[)[^\s"',;}]+/gi,
    `$1${HIDDEN}`
  ],
  // Keys of this product, and cookies: of both the whole value is the secret.
  [/\boncall_[\w-]{43}/g, HIDDEN],
  [/\b(oncall_session=)[^;\s"']+/g, `$1${HIDDEN}`],
  [/\b((?:set-)?cookie["']?\s*[:=]\s*["']?)(?!\[)[^"'\r\n]+/gi, `$1${HIDDEN}`],
  [/\b(?:sk|pk|rk|ghp|gho|glpat|xox[abp])[-_][\w-]{12,}/g, HIDDEN]
]

/** How deep a logged value is copied; below it there is nothing that a person would read. */
const DEPTH_LIMIT = 8

/** Text without secrets; everything else stays as it is. */
export function redactText(text: string): string {
  return secretPatterns.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)
}

/** A copy of a plain value without secrets: hidden under secret names, redacted inside texts. Cycles are cut. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_LIMIT) return '[deeper]'
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
  const entries = Object.entries(value).map(([name, item]) => [
    name,
    isSecret(name, item) ? HIDDEN : redact(item, depth + 1)
  ])
  return Object.fromEntries(entries)
}

/** Numbers and switches under such a name ("maxTokens", "tokenVectors") are settings, not secrets. */
function isSecret(name: string, value: unknown): boolean {
  return (
    secretName.test(name) && value !== null && (typeof value === 'string' ? value !== '' : typeof value === 'object')
  )
}
