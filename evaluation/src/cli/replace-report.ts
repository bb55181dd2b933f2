import { readFile, writeFile } from 'node:fs/promises'

/** Writes a report over the one before, which `make` is given for what was written by hand in it ('' for none). */
export async function replaceReport(file: string, make: (previous: string) => string): Promise<void> {
  const previous = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw cause
  })
  await writeFile(file, make(previous))
}
