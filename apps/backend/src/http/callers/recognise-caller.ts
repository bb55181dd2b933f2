import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../auth/index.ts'
import type { HttpAuth } from '../dependencies.ts'
import { sessionTokenOf } from './session-cookie.ts'

/** Longer ones are none of ours and are not worth a hash. */
const CREDENTIAL_LIMIT = 512

/**
 * Who shows a key that works or a session that lives. A key goes before a session and is not made up for by one; other
 * schemes of `authorization` are a proxy's business. Undefined for everybody else.
 */
export async function recogniseCaller(auth: HttpAuth, request: FastifyRequest): Promise<Caller | undefined> {
  const key = bearerKeyOf(request)
  if (key !== undefined) return key.length > CREDENTIAL_LIMIT ? undefined : auth.callerOfKey(key)
  const token = sessionTokenOf(request.headers.cookie)
  return token === undefined || token.length > CREDENTIAL_LIMIT ? undefined : auth.callerOfSession(token)
}

export function bearerKeyOf(request: FastifyRequest): string | undefined {
  return /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
}
