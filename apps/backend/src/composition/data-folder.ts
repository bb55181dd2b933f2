import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import type { Parts } from './parts.ts'

/** An answer about a folder that holds nothing would read like "nothing found". */
export function expectData(parts: Pick<Parts, 'dataDirectory'>): void {
  if (!existsSync(join(parts.dataDirectory, 'business.db'))) throw nothingIndexed(parts)
}

export function nothingIndexed({ dataDirectory }: Pick<Parts, 'dataDirectory'>): AppError {
  return new AppError('NOT_FOUND', {
    operation: 'open data folder',
    subject: dataDirectory,
    message: `Nothing is indexed in ${dataDirectory} yet.`,
    hint: 'Index something first: oncall index <folder>; or name another folder with --data. Uploads are searched through the server.'
  })
}
