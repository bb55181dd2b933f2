import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AppError } from '@oncall-agent/api-contracts'
import type { SealingKey } from './sealing-key.ts'

/** Of the form below; another one gets another number. */
const FORM = 's1'
/** What AES-GCM is made for. At random for each sealing: a key seals far fewer than the 2³² texts that makes safe. */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals a text with AES-256-GCM: `s1.<key id>.<nonce>.<tag>.<sealed>`, each in base64url.
 * @param boundTo whose it is; sealed for one, it opens for no other
 */
export function seal(text: string, key: SealingKey, boundTo: readonly string[]): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(boundText(key.id, boundTo))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return [FORM, key.id, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.')
}

/**
 * @throws AppError CONFIG_INVALID when another key has sealed it; DATA_CORRUPT when it was changed or is bound to
 * something else
 */
export function unseal(sealed: string, key: SealingKey, boundTo: readonly string[]): string {
  const [form, keyId, ...parts] = sealed.split('.')
  const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'))
  const about = { operation: 'unseal secrets', subject: boundTo.join(' ') }
  if (form === FORM && keyId !== key.id) {
    throw new AppError('CONFIG_INVALID', {
      ...about,
      message: 'The secrets of this tool server were sealed with another key than the one there is now.',
      hint: 'Bring the old key back (KB_MCP__SECRET_KEY or the key file), or enter the secrets again.'
    })
  }
  try {
    if (form !== FORM || !nonce || !tag || !text) throw new Error(`a sealed text of an unknown form: ${form}`)
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(boundText(key.id, boundTo))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  } catch (cause) {
    const message = 'The stored secrets of this tool server are damaged; enter them again.'
    throw new AppError('DATA_CORRUPT', { ...about, message, cause })
  }
}

function boundText(keyId: string, boundTo: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([FORM, keyId, ...boundTo]))
}
