import { randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '@oncall-agent/api-contracts'
import { type Argon2Cost, argon2id, PASSWORD_COST, SALT_BYTES, TAG_BYTES } from './argon2id.ts'
import { fewAtOnce } from './few-at-once.ts'
import { formatPhc, type HashedPassword, parsePhc } from './phc-string.ts'

export interface PasswordCheck {
  readonly right: boolean
  /** It is right, and was hashed at another cost than passwords are now. */
  readonly outdated: boolean
}

/** Both throw AppError RATE_LIMITED when very many passwords are hashed at this moment, SYSTEM_UNAVAILABLE when none can be. */
export interface Passwords {
  /** @returns a PHC string */
  hash(password: string): Promise<string>
  /**
   * @param stored a PHC string; undefined for a person who does not exist, which is never right and takes as long
   * @throws AppError DATA_CORRUPT when what is stored is no hash
   */
  check(password: string, stored: string | undefined): Promise<PasswordCheck>
}

/**
 * Two hashes at once: 38 MiB, and two of the four threads that files and name look-ups share with them. A hundred who
 * wait have their turn within about five seconds.
 */
const CROWD = { atOnce: 2, waiting: 100 }

export function createPasswords(cost: Argon2Cost = PASSWORD_COST): Passwords {
  const inTurn = fewAtOnce(CROWD)
  // Nobody has this password, but to check one against it is the same work as against anybody's.
  const nobody: HashedPassword = { cost, salt: randomBytes(SALT_BYTES), tag: randomBytes(TAG_BYTES) }
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES)
      const tag = await inTurn(() => argon2id(password, { salt, cost, tagBytes: TAG_BYTES }))
      return formatPhc({ cost, salt, tag })
    },
    check: async (password, stored) => {
      const expected = stored === undefined ? nobody : readStored(stored)
      const { salt, tag } = expected
      const given = await inTurn(() => argon2id(password, { salt, cost: expected.cost, tagBytes: tag.length }))
      const right = timingSafeEqual(given, tag) && stored !== undefined
      return { right, outdated: right && !isCurrent(expected, cost) }
    }
  }
}

function isCurrent(hashed: HashedPassword, cost: Argon2Cost): boolean {
  return (
    hashed.cost.memoryKib === cost.memoryKib &&
    hashed.cost.passes === cost.passes &&
    hashed.cost.lanes === cost.lanes &&
    hashed.salt.length === SALT_BYTES &&
    hashed.tag.length === TAG_BYTES
  )
}

function readStored(stored: string): HashedPassword {
  const hashed = parsePhc(stored)
  if (hashed !== undefined) return hashed
  throw new AppError('DATA_CORRUPT', { operation: 'read password hash', hint: 'Set a new password for this person.' })
}
