import { createHash } from 'node:crypto'
import { AppError, invalidInput } from '@oncall-agent/api-contracts'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../auth/index.ts'
import type { ReceivedFile } from '../../knowledge/index.ts'
import type { IdempotentAnswerFacts } from '../../store/index.ts'

const KEY = /^[\x21-\x7e]{1,200}$/
/** Seconds: what is claimed is only the writing of facts about files that have arrived. */
const RETRY_AFTER_SECONDS = 1

export interface KeyedAnswer {
  readonly status: number
  readonly body: unknown
}

export interface KeyedRequest {
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly form: unknown
  readonly files: readonly ReceivedFile[]
}

/**
 * With an `Idempotency-Key`: does the work once, and gives its answer again to the same request with the same key for
 * 24 hours. A request that failed may be tried again with its key. Without a key: does the work.
 * @throws AppError CONFLICT when the key came with another request, or while the first one runs; VALIDATION_FAILED
 */
export async function answerOnce<Answer extends KeyedAnswer>(
  answers: IdempotentAnswerFacts,
  keyed: KeyedRequest,
  work: () => Promise<Answer>
): Promise<Answer> {
  const key = idempotencyKeyOf(keyed.request)
  if (key === undefined) return work()
  const claimed = { userId: keyed.caller.userId, key, requestHash: hashOf(keyed) }
  const claim = await answers.claim(claimed, Date.now())
  if (claim.state === 'answered') return { status: claim.status, body: claim.body } as Answer
  if (claim.state !== 'claimed') throw conflict(claim.state)
  const answer = await work().catch(async (failed: unknown) => {
    await answers.release(claimed)
    throw failed
  })
  await answers.answer(claimed, answer.status, answer.body)
  return answer
}

/** @throws AppError VALIDATION_FAILED; also asked before a body is read, which a bad key makes pointless */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || (typeof key === 'string' && KEY.test(key))) return key
  throw invalidInput([{ field: 'Idempotency-Key', problem: 'must have 1 to 200 visible ASCII characters' }])
}

/** Of everything that makes a request what it is; the bytes of the boundary do not. */
function hashOf({ request, form, files }: KeyedRequest): string {
  const { method, routeOptions, params } = request
  const parts = [method, routeOptions.url, params, form, files.map(({ fileName, sha256 }) => [fileName, sha256])]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

function conflict(state: 'running' | 'other'): AppError {
  const operation = 'answer once'
  return state === 'running'
    ? new AppError('CONFLICT', {
        operation,
        message: 'The first request with this Idempotency-Key is still running.',
        details: { retryAfterSeconds: RETRY_AFTER_SECONDS }
      })
    : new AppError('CONFLICT', { operation, message: 'This Idempotency-Key came with another request before.' })
}
