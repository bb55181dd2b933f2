import { argon2 } from 'node:crypto'
import { AppError } from '@oncall-agent/api-contracts'

/** What a hash costs whoever makes it, us and who guesses. */
export interface Argon2Cost {
  readonly memoryKib: number
  readonly passes: number
  readonly lanes: number
}

/**
 * OWASP's minimum for Argon2id (Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane). One takes about 45 ms on the
 * machine that this was written on.
 */
export const PASSWORD_COST: Argon2Cost = { memoryKib: 19_456, passes: 2, lanes: 1 }

/** Bytes of salt and of the result: RFC 9106, section 4, recommends 128 and 256 bits. */
export const SALT_BYTES = 16
export const TAG_BYTES = 32

interface Argon2Input {
  readonly salt: Buffer
  readonly cost: Argon2Cost
  readonly tagBytes: number
}

/**
 * Argon2id (RFC 9106) beside the event loop. The password is taken in Unicode's NFC, because keyboards of two systems
 * give the same letter in two forms.
 * @throws AppError SYSTEM_UNAVAILABLE when there is no memory for it
 */
export function argon2id(password: string, { salt, cost, tagBytes }: Argon2Input): Promise<Buffer> {
  const parameters = {
    message: password.normalize('NFC'),
    nonce: salt,
    memory: cost.memoryKib,
    passes: cost.passes,
    parallelism: cost.lanes,
    tagLength: tagBytes
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  argon2('argon2id', parameters, (cause, tag) => {
    if (cause === null) resolve(tag)
    else reject(new AppError('SYSTEM_UNAVAILABLE', { operation: 'hash password', cause }))
  })
  return promise
}
