import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'

/** Bytes of a key of AES-256. */
const KEY_BYTES = 32
/** Permissions of group and others. */
const OTHERS = 0o077

export interface SealingKey {
  /** Tells one key from another and says nothing of it; stands in what was sealed. */
  readonly id: string
  readonly bytes: Buffer
}

export interface SealingKeySource {
  /** 32 bytes in base64, from the settings; empty where a file holds the key. */
  readonly given: string
  /** Absolute path of the file. */
  readonly file: string
}

/**
 * The key that seals secrets of tool servers. It is read anew each time, so that a file that was mended or brought back
 * counts at once.
 * @param make whether a file that is missing is made; without it a lost key is told, not replaced
 * @throws AppError CONFIG_INVALID for a file that others may read, that holds no key or, without `make`, is missing
 */
export async function sealingKey({ given, file }: SealingKeySource, make: boolean): Promise<SealingKey> {
  if (given !== '') return keyOf(given, 'KB_MCP__SECRET_KEY')
  const text = (await readKey(file)) ?? (make ? await makeKey(file) : undefined)
  if (text !== undefined) return keyOf(text, file)
  throw invalid(file, 'The key that seals the secrets of tool servers is missing.', BRING_BACK)
}

const BRING_BACK =
  'Bring the key file back, or set KB_MCP__SECRET_KEY; or enter the secrets again, which makes a new key.'

/** Undefined when there is no such file. */
async function readKey(file: string): Promise<string | undefined> {
  const opened = await open(file, constants.O_RDONLY).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw invalid(file, 'The key file of tool servers can not be read.', 'Whoever runs the server must own it.', cause)
  })
  if (opened === undefined) return undefined
  try {
    // Of the open file, so that nobody can change what the name means in between.
    const { mode } = await opened.stat()
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw invalid(file, 'The key file of tool servers is open to others; its mode must be 600.', `chmod 600 ${file}`)
    }
    return await opened.readFile('utf8')
  } finally {
    await opened.close()
  }
}

/** Appears whole or not at all; of two processes that make it at once, both end with the key of one. */
async function makeKey(file: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await mkdir(dirname(file), { recursive: true })
    const opened = await open(draft, 'wx', 0o600)
    try {
      await opened.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`)
      await opened.sync()
    } finally {
      await opened.close()
    }
    await link(draft, file).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'EEXIST') throw cause
    })
  } catch (cause) {
    throw invalid(
      file,
      'The key file of tool servers can not be made.',
      'Whoever runs the server must own its folder.',
      cause
    )
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readKey(file)
  if (made !== undefined) return made
  throw invalid(file, 'The key file of tool servers is gone again.', BRING_BACK)
}

function keyOf(text: string, where: string): SealingKey {
  const bytes = Buffer.from(text.trim(), 'base64')
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text.trim()) {
    throw invalid(
      where,
      'The key that seals the secrets of tool servers is not 32 bytes in base64.',
      'openssl rand -base64 32'
    )
  }
  return { id: createHash('sha256').update('sealing key').update(bytes).digest('hex').slice(0, 12), bytes }
}

function invalid(subject: string, message: string, hint: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', { operation: 'read sealing key', subject, message, hint, cause })
}
