import { createHash, randomBytes } from 'node:crypto'

/** 256 bits: nobody guesses one, so its hash needs neither salt nor work to be of no use to who reads it. */
const SECRET_BYTES = 32

/** A secret of 43 characters that fits a cookie and a header. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/** Whether it could have come from `newSecret`: what could not is not looked for. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What is stored in place of a secret: SHA-256, in hexadecimal digits. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
