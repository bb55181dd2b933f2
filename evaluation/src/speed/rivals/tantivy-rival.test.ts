import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenize } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layOut } from '../corpus/layout.ts'
import { SyntheticText } from '../corpus/synthetic-text.ts'
import { findTantivy, TantivyRival } from './tantivy-rival.ts'

const text = new SyntheticText(3)
const corpus = { layout: layOut(200, 20), text: (chunk: number) => text.chunk(chunk), vector: () => new Float32Array() }

/**
 * Speaks the protocol of tantivy_rival.py without tantivy, which is no dependency of the tests: it keeps the lines that
 * it is built from, and answers a search with a time a query, the number of those lines in it.
 */
const standIn = `#!/bin/sh
case $2 in
  build) mkdir "$3" && cat > "$3/lines" ;;
  search)
    times=
    while read -r query; do times="$times,$(grep -c "^$4" "$3/lines")"; done
    echo "{\\"milliseconds\\": [\${times#,}], \\"hits\\": []}" ;;
esac
`

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-tantivy-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

describe('tantivy as a rival', () => {
  it('is told missing, with the way to get it, where Python cannot import it', async () => {
    const path = process.env.PATH
    process.env.PATH = directory
    try {
      expect(await findTantivy(directory)).toEqual({ missing: expect.stringContaining('--with-tantivy') })
    } finally {
      process.env.PATH = path
    }
  })

  it('says why when the program fails', async () => {
    await expect(TantivyRival.open('false', join(directory, 'none'), corpus)).rejects.toThrow(/ended with 1/)
    await expect(stat(join(directory, 'none'))).rejects.toThrow(/ENOENT/)
  })

  it('is filled once with every chunk, and gives a time for each query of one knowledge base', async () => {
    const python = join(directory, 'python')
    await writeFile(python, standIn, { mode: 0o755 })
    const folder = join(directory, 'index')
    const queries = [0, 1, 2].map((number) => tokenize(text.query(number, 3)))
    for (let time = 0; time < 2; time++) {
      const rival = await TantivyRival.open(python, folder, corpus)
      expect(await rival.time(queries, 'kb-tenth')).toEqual([20, 20, 20])
    }
    const lines = (await readFile(join(folder, 'lines'), 'utf8')).trimEnd().split('\n')
    expect(lines).toHaveLength(200)
    expect(lines[0]).toBe(`kb-fixed\t${tokenize(text.chunk(0)).join(' ')}`)
  })
})
