import type { Endpoint } from './endpoint.ts'
import { readErrorBody } from './read-body.ts'
import { RemoteFailure, type RemoteFailureKind } from './remote-failure.ts'
import { readRetryAfter } from './retry-policy.ts'

/** What a code looks like: `context_length_exceeded`, `InvalidApiKey`, `Throttling.RateQuota`, `50004`. */
const shortCode = /^[\w.-]{1,64}$/

/** How servers say that a text has too many tokens; there is no status or code that they agree on. */
const tooLong = [
  /context[ _-]?(length|window|size)/i,
  /(maximum|max)\b.{0,40}\b(tokens?|length)/i,
  /(exceed|more than|less than|longer than).{0,60}\b(tokens?|length)/i,
  /(input|text|prompt|sequence|content).{0,30}too (long|large)/i,
  /too many tokens/i,
  /range of input length/i
]
/** Statuses that come with such words; 500 is what a llama.cpp server says. */
const tooLongStatuses: ReadonlySet<number> = new Set([400, 413, 422, 500])

/** Why a server did not give an answer: its status, its short code, and what its words mean; the words stay behind. */
export async function readRefusal(response: Response, { apiKey }: Endpoint): Promise<RemoteFailure> {
  const { status, headers } = response
  const words = await readErrorBody(response)
  const code = codeIn(words)
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now())
  const isTooLong = tooLongStatuses.has(status) && (status === 413 || tooLong.some((each) => each.test(words)))
  return new RemoteFailure({
    kind: isTooLong ? 'too-long' : kindOf(status),
    reason: isTooLong ? 'the server refuses a text as too long' : `the server answered with status ${status}`,
    status,
    ...(code === undefined || holdsKey(code, apiKey) ? {} : { code }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })
}

function kindOf(status: number): RemoteFailureKind {
  if (status === 401 || status === 403) return 'unauthorised'
  if (status === 404 || status === 405) return 'unknown-address'
  return status === 408 || status === 429 || status >= 500 ? 'busy' : 'refused'
}

/** Servers put it at `error.code`, `error.type` or, as DashScope does, at `code`. */
function codeIn(words: string): string | undefined {
  let body: unknown
  try {
    body = JSON.parse(words)
  } catch {
    return undefined
  }
  const error = field(body, 'error')
  const named = [field(error, 'code'), field(error, 'type'), field(body, 'code')]
  const codes = named.map((each) => (typeof each === 'number' ? String(each) : each))
  return codes.find((each): each is string => typeof each === 'string' && shortCode.test(each))
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** A server may well name the key that it refuses, or its end. */
function holdsKey(code: string, apiKey: string): boolean {
  return apiKey !== '' && (code.includes(apiKey) || (code.length >= 4 && apiKey.includes(code)))
}
