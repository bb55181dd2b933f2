import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { AppError } from '@oncall-agent/api-contracts'
import { z } from 'zod'

/** Grows when a release can not read backups of the one before it. */
export const BACKUP_FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'

const hashedFileSchema = z.object({
  /** Below the data folder, with `/`. */
  path: z.string().regex(/^[\w.-]+(?:[/][\w.-]+)*$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/)
})

const manifestSchema = z.object({
  format: z.int(),
  /** Of the program that wrote it. */
  version: z.string(),
  createdAt: z.string(),
  /** Version of the facts' schema. */
  facts: z.int(),
  /** The embedding model that the index was made with. */
  embedder: z.object({ model: z.string(), dimension: z.int() }),
  files: z.array(hashedFileSchema)
})

export type BackupManifest = z.output<typeof manifestSchema>
export type HashedFile = z.output<typeof hashedFileSchema>

/** @throws AppError DATA_CORRUPT, DATA_FORMAT_NEWER */
export async function readManifest(file: string, backupFile: string): Promise<BackupManifest> {
  const about = { operation: 'read backup', subject: backupFile }
  let parsed
  try {
    parsed = manifestSchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
  } catch (cause) {
    throw new AppError('DATA_CORRUPT', { ...about, message: `${backupFile} is no backup of this program.`, cause })
  }
  if (!parsed.success) {
    throw new AppError('DATA_CORRUPT', { ...about, message: `${backupFile} says nothing of what it holds.` })
  }
  if (parsed.data.format > BACKUP_FORMAT) {
    throw new AppError('DATA_FORMAT_NEWER', {
      ...about,
      message: `${backupFile} was written by version ${parsed.data.version}, in a format that this one does not know.`,
      hint: `Restore it with version ${parsed.data.version} or a later one.`
    })
  }
  return parsed.data
}

export async function hashFile(file: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(createReadStream(file), async (parts: AsyncIterable<Buffer>) => {
    for await (const part of parts) {
      hash.update(part)
      bytes += part.length
    }
  })
  return { bytes, sha256: hash.digest('hex') }
}
