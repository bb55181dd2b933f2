import { invalidInput, HEARTBEAT_MS, lastEventIdSchema, routes } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import { addRoute, type RouteHost } from '../add-route.ts'
import { answerLanguage } from '../answer-language.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { entityTagOf, tagged } from '../downloads/entity-tag.ts'
import { eventAnswer, type EventStreamOptions } from '../events/send-events.ts'
import { StreamsOfOne } from '../events/streams-of-one.ts'

/** Answers that one person follows at once: every tab of a busy night, and no loop that ran away. */
const FOLLOWED_BY_ONE = 256

/** Conversations, their messages, and answers as streams of events. */
export function addChatRoutes(host: RouteHost, dependencies: HttpDependencies): void {
  addConversationRoutes(host, dependencies)
  addAnswerRoutes(host, dependencies)
}

function addConversationRoutes(host: RouteHost, { conversations }: HttpDependencies): void {
  addRoute(host, routes.createConversation, async ({ body }, { caller }) => ({
    body: await conversations.create(caller, body)
  }))

  addRoute(host, routes.conversations, async ({ query }, { caller }) => ({
    body: await conversations.list(caller, query)
  }))

  addRoute(host, routes.conversation, async ({ params }, { caller, request }) => {
    const body = await conversations.find(caller, params.id)
    const answer = tagged(request, entityTagOf(body))
    return answer.status === 304 ? answer : { ...answer, body }
  })

  addRoute(host, routes.changeConversation, async ({ params, body }, { caller }) => ({
    body: await conversations.change(caller, params.id, body)
  }))

  addRoute(host, routes.deleteConversation, async ({ params }, { caller }) => {
    await conversations.remove(caller, params.id)
    return {}
  })

  addRoute(host, routes.messages, async ({ params, query }, { caller }) => ({
    body: await conversations.messages(caller, params.id, query)
  }))

  addRoute(host, routes.message, async ({ params }, { caller }) => ({
    body: await conversations.message(caller, params.id, params.messageId)
  }))

  addRoute(host, routes.giveFeedback, async ({ body }, { caller }) => ({
    body: await conversations.giveFeedback(caller, body)
  }))
}

function addAnswerRoutes(host: RouteHost, { conversations, onStream, limits }: HttpDependencies): void {
  const options: EventStreamOptions = {
    heartbeatMs: limits.heartbeatMs ?? HEARTBEAT_MS,
    ...(limits.stallMs === undefined ? {} : { stallMs: limits.stallMs }),
    ...(onStream === undefined ? {} : { onOpen: onStream })
  }

  addRoute(host, routes.sendMessage, async ({ params, body }, { caller, signal, request }) => {
    const language = answerLanguage(request.headers['accept-language'])
    const how = { language, requestId: request.id, signal }
    return eventAnswer(await conversations.send(caller, params.id, body, how), request, options)
  })

  const followed = new StreamsOfOne(FOLLOWED_BY_ONE)
  addRoute(host, routes.messageEvents, async ({ params }, { caller, signal, request }) => {
    followed.expectRoom(caller.userId)
    const how = { lastEventId: lastEventIdOf(request), requestId: request.id, signal }
    const onOpen = (change: 1 | -1): void => {
      followed.changed(caller.userId, change)
      options.onOpen?.(change)
    }
    const feed = await conversations.follow(caller, params.id, params.messageId, how)
    return eventAnswer(feed, request, { ...options, onOpen })
  })

  addRoute(host, routes.stopMessage, async ({ params }, { caller }) => ({
    body: await conversations.stop(caller, params.id, params.messageId)
  }))

  addRoute(host, routes.decideToolCall, async ({ params, body }, { caller }) => {
    const { id: conversationId, messageId, callId } = params
    await conversations.decide(caller, { conversationId, messageId, callId }, body.approved)
    return {}
  })
}

/** @throws AppError VALIDATION_FAILED for what never was an id of an event */
function lastEventIdOf({ headers }: FastifyRequest): number {
  const given = headers['last-event-id']
  // A browser that has received no event yet sends none, or an empty one.
  if (given === undefined || given === '') return 0
  const parsed = lastEventIdSchema.safeParse(given)
  if (parsed.success) return Number(parsed.data)
  throw invalidInput([{ field: 'Last-Event-ID', problem: 'must be an id of an event of this message' }])
}
