import type { Route } from '@oncall-agent/api-contracts'
import { z } from 'zod'
import type { Operation, Parameter, Response } from './openapi.ts'

/** Statuses whose answer may say how long to wait. */
const WAITING = new Set(['409', '429'])

const text = (description: string) => ({ description, schema: { type: 'string' } })

/** An operation as the schemas tell it, with what they do not: access, forms, bytes, streams and headers. */
export function describeOperation(name: string, tag: string, route: Route, operation: Operation): Operation {
  const parameters = [...(operation.parameters ?? []), ...headerParameters(route)]
  return {
    ...operation,
    operationId: name,
    tags: [tag],
    'x-access': accessInWords(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.form ? { requestBody: { required: true, content: formContent(route.form) } } : {}),
    responses: { ...responsesOf(route, operation) },
    security: securityOf(route)
  }
}

/** What zod writes of a schema, without what means nothing on the wire. */
export function cleanSchema({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // Frozen in memory is no property of the wire: `readOnly` would tell clients not to send a filter.
  delete jsonSchema.readOnly
  // A number in an address is checked as text, and told as what it means.
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern
}

function headerParameters(route: Route): readonly Parameter[] {
  return [
    ...(route.idempotent
      ? [
          headerParameter(
            'Idempotency-Key',
            'The same key and request again give the first answer again, for 24 hours.'
          )
        ]
      : []),
    ...(route.conditional ? [headerParameter('If-None-Match', 'An ETag; 304 when it is still the same.')] : []),
    ...(route.localised
      ? [headerParameter('Accept-Language', 'Of fixed texts in the answer: zh, which is the default, or en.')]
      : []),
    ...(isResumable(route)
      ? [headerParameter('Last-Event-ID', 'Of the last event that was received: goes on behind it.')]
      : [])
  ]
}

/** A stream that only reads can be taken up again; one that a question begins would ask it again. */
function isResumable({ method, events }: Route): boolean {
  return events !== undefined && method === 'GET'
}

function headerParameter(name: string, description: string): Parameter {
  return { name, in: 'header', ...text(description) }
}

function formContent(form: z.ZodType) {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(form, { io: 'input', override: cleanSchema })
  const file = {
    type: 'array',
    items: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
    description: 'One or more parts of this name, each a file with its name.'
  }
  const required = [...(schema.required ?? []), 'file']
  return { 'multipart/form-data': { schema: { ...schema, properties: { ...schema.properties, file }, required } } }
}

function responsesOf(route: Route, { responses = {} }: Operation): Record<string, Response> {
  const described: Record<string, Response> = {}
  for (const [status, response] of Object.entries(responses)) {
    const headers = {
      ...(WAITING.has(status) ? { 'Retry-After': text('Seconds to wait, when waiting helps.') } : {}),
      ...(status === '401' ? { 'WWW-Authenticate': text('Bearer') } : {})
    }
    described[status] = Object.keys(headers).length === 0 ? response : { ...response, headers }
  }
  for (const status of route.statuses) {
    const good = described[status] ?? { description: route.summary }
    described[status] = {
      ...good,
      ...(route.bytes ? { content: bytesContent(route) } : {}),
      ...(route.events ? { content: eventsContent(route.events) } : {}),
      ...(route.conditional ? { headers: { ETag: text('Of the state that is told.') } } : {})
    }
  }
  if (route.conditional) described[304] = { description: 'It is as the ETag in If-None-Match says.' }
  return described
}

function bytesContent({ mediaTypes = ['application/octet-stream'] }: Route) {
  const contents = mediaTypes.map((type) => [
    type,
    { schema: { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) } }
  ])
  return Object.fromEntries(contents) as Record<string, { readonly schema: object }>
}

/** OpenAPI 3.1 has no word for a stream: the schema is that of one event, as OpenAPI 3.2 tells it. */
function eventsContent(events: z.ZodType) {
  const { $schema: _dialect, ...contentSchema } = z.toJSONSchema(events, { io: 'output', override: cleanSchema })
  const properties = {
    id: { type: 'string' },
    event: { type: 'string' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema }
  }
  const description = 'Server-sent events, each with an id, its type as its name, and data that is JSON.'
  return { 'text/event-stream': { schema: { type: 'object', description, properties, required: ['event', 'data'] } } }
}

function securityOf({ access, local }: Route) {
  const open = access === 'anyone' || local ? [{}] : []
  if (access === 'anyone') return open
  return access === 'person' ? [{ session: [] }] : [...open, { session: [] }, { apiKey: [] }]
}

function accessInWords({ access, local }: Route): string {
  if (access === 'anyone') return 'Anyone.'
  if (access === 'person') return 'A person who has signed in; no key.'
  const administrators = access.includes('admin') ? ' who is an administrator' : ''
  const words = `A person who has signed in${administrators}, or a key with the scope ${access.join(' or ')}.`
  return local ? `${words} On the server's machine anyone.` : words
}
