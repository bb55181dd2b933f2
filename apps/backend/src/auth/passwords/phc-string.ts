import type { Argon2Cost } from './argon2id.ts'

/** A stored password: how it was hashed, and the result. */
export interface HashedPassword {
  readonly cost: Argon2Cost
  readonly salt: Buffer
  readonly tag: Buffer
}

/** Argon2's only version in use, 1.3 (RFC 9106, section 3.1). */
const VERSION = 19
const FORM = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]{11,86})\$([\w+/]{16,86})$/

/**
 * `$argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<tag>`, base64 without padding: the PHC string format
 * (github.com/P-H-C/phc-string-format), which other programs read too.
 */
export function formatPhc({ cost, salt, tag }: HashedPassword): string {
  const parameters = `m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}`
  return `$argon2id$v=${VERSION}$${parameters}$${unpadded(salt)}$${unpadded(tag)}`
}

/** Undefined when it is not one. */
export function parsePhc(text: string): HashedPassword | undefined {
  const [, memoryKib, passes, lanes, salt = '', tag = ''] = FORM.exec(text) ?? []
  if (memoryKib === undefined) return undefined
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64')
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
