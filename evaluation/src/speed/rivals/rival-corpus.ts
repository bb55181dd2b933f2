import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CorpusLayout, DocumentSlot } from '../corpus/layout.ts'

/** The corpus that ours and the rivals are filled with. */
export interface RivalCorpus {
  readonly layout: CorpusLayout
  /** Text of a chunk by number. */
  text(chunk: number): string
  /** Unit vector of a chunk by number. */
  vector(chunk: number): Float32Array
}

/** Calls `each` for every chunk in order. */
export function forEachChunk(corpus: RivalCorpus, each: (chunk: number, slot: DocumentSlot) => void): void {
  for (const slot of corpus.layout.documents) {
    for (let offset = 0; offset < slot.count; offset++) each(slot.first + offset, slot)
  }
}

/**
 * A database that is filled once and kept: it is built beside its place and moved there when it is whole, so that an
 * interrupted build is never taken for a finished one.
 */
export async function keptDatabase(path: string, build: (database: DatabaseSync) => void): Promise<DatabaseSync> {
  if (!(await exists(path))) {
    const unfinished = `${path}.building`
    await rm(unfinished, { force: true })
    await mkdir(dirname(path), { recursive: true })
    const database = new DatabaseSync(unfinished, { allowExtension: true })
    try {
      // Lost on a crash is fine here: the file only gets its name when all is written.
      database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
      build(database)
      database.exec('COMMIT')
    } finally {
      database.close()
    }
    await rename(unfinished, path)
  }
  return new DatabaseSync(path, { allowExtension: true, readOnly: true })
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}
