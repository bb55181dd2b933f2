import { PortError } from '@oncall-agent/retrieval'

/** Where a model answers, and how long one call of it may take. */
export interface Endpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Hidden from whatever the server says. */
  readonly apiKey: string
  /** Milliseconds of one call with all its tries and waits. */
  readonly timeoutMs: number
}

export interface EndpointOptions {
  readonly url: string
  readonly model: string
  /** Sent as a bearer token; none when empty. */
  readonly apiKey: string
  readonly timeoutMs: number
}

/** What a header may hold; anything else would be refused by the caller with the key in its message. */
const sendableKey = /^[\x21-\x7e]*$/

/** @throws PortError invalid-argument: an address that is none, or a key that cannot be sent; neither is repeated */
export function createEndpoint({ url, model, apiKey, timeoutMs }: EndpointOptions): Endpoint {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    throw unusable(model, 'its base URL is no http or https address without credentials')
  }
  const key = apiKey.trim()
  if (!sendableKey.test(key)) throw unusable(model, 'its API key holds characters that no key has')
  return {
    url: parsed.href,
    apiKey: key,
    timeoutMs,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(key === '' ? {} : { authorization: `Bearer ${key}` })
    }
  }
}

function unusable(subject: string, reason: string): PortError {
  return new PortError('invalid-argument', {
    operation: 'configure model',
    subject,
    reason,
    hint: 'Check baseUrl and apiKey of this model in the settings.'
  })
}
