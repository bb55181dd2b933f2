import type { Route, UploadAnswer } from '@oncall-agent/api-contracts'
import type { z } from 'zod'
import type { Caller } from '../../auth/index.ts'
import type { ReceivedFile } from '../../knowledge/index.ts'
import { addRoute, type RouteAnswer, type RouteContext, type RouteHost, type RouteInput } from '../add-route.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { answerOnce, idempotencyKeyOf } from './answer-once.ts'
import { receiveUpload } from './receive-upload.ts'

interface UploadInput<R extends Route> {
  readonly params: RouteInput<R>['params']
  readonly form: R extends { readonly form: infer Schema extends z.ZodType } ? z.output<Schema> : never
  readonly files: readonly ReceivedFile[]
}

interface UploadResult<R extends Route> {
  readonly status: R['statuses'][number]
  readonly body: UploadAnswer
}

/** Serves a route that takes files; those that became no document are gone from the data folder when it answers. */
export function addUploadRoute<const R extends Route & { readonly form: z.ZodType }>(
  host: RouteHost,
  route: R,
  { knowledge, idempotentAnswers }: Pick<HttpDependencies, 'knowledge' | 'idempotentAnswers'>,
  answer: (input: UploadInput<R>, caller: Caller) => Promise<UploadResult<R>>
): void {
  addRoute(host, route, async ({ params }, context: RouteContext<R>) => {
    const { request } = context
    const caller = context.caller as Caller
    idempotencyKeyOf(request)
    const { form, files } = await receiveUpload(request, route.form, knowledge)
    try {
      const input = { params, form, files } as UploadInput<R>
      const keyed = { caller, request, form, files }
      return (await answerOnce(idempotentAnswers, keyed, () => answer(input, caller))) as RouteAnswer<R>
    } finally {
      await knowledge.discard(files)
    }
  })
}
