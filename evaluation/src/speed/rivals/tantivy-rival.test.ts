import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenize } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultCacheDirectory } from '../../cache/cache-directory.ts'
import { layOut } from '../corpus/layout.ts'
import { SyntheticText } from '../corpus/synthetic-text.ts'
import { findTantivy, TantivyRival } from './tantivy-rival.ts'

const text = new SyntheticText(3)
const corpus = { layout: layOut(200, 20), text: (chunk: number) => text.chunk(chunk), vector: () => new Float32Array() }
const found = await findTantivy(defaultCacheDirectory())
const python = 'python' in found ? found.python : undefined

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

  it.skipIf(python === undefined)('gives a time for each query (needs a Python with tantivy)', async () => {
    const rival = await TantivyRival.open(python!, join(directory, 'index'), corpus)
    const queries = [0, 1, 2].map((number) => tokenize(text.query(number, 3)))
    const milliseconds = await rival.time(queries, 'kb-tenth')
    expect(milliseconds).toHaveLength(3)
    for (const value of milliseconds) expect(value).toBeGreaterThan(0)
  })
})
