import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenize } from '@oncall-agent/retrieval'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layOut } from '../corpus/layout.ts'
import { SyntheticText } from '../corpus/synthetic-text.ts'
import { SyntheticVectors } from '../corpus/synthetic-vectors.ts'
import { Fts5Rival } from './fts5-rival.ts'
import { keptDatabase, type RivalCorpus } from './rival-corpus.ts'
import { SqliteVecRival } from './sqlite-vec-rival.ts'

const chunks = 400
const text = new SyntheticText(3)
const vectors = new SyntheticVectors({ seed: 3, dimension: 32, chunks })
const corpus: RivalCorpus = {
  layout: layOut(chunks, 40),
  text: (chunk) => text.chunk(chunk),
  vector: (chunk) => vectors.chunk(chunk)
}
/** Chunks of the knowledge base with a tenth: the fixed one comes first. */
const tenth = Array.from({ length: 40 }, (_, index) => 40 + index)

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-rivals-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

const nearest = (query: Float32Array, among: readonly number[]): readonly number[] =>
  among
    .map((chunk) => ({
      chunk,
      cosine: vectors.chunk(chunk).reduce((sum, value, index) => sum + value * query[index]!, 0)
    }))
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, 20)
    .map(({ chunk }) => chunk)

describe('sqlite-vec as a rival', () => {
  it('finds the true nearest, in all and in one knowledge base', async () => {
    const rival = await SqliteVecRival.open(join(directory, 'vec.db'), corpus)
    const query = vectors.query(1)
    expect(rival.search(query, 20)).toEqual(
      nearest(
        query,
        Array.from({ length: chunks }, (_, index) => index)
      )
    )
    expect(rival.search(query, 20, 'kb-tenth')).toEqual(nearest(query, tenth))
    rival.close()
  })
})

describe('FTS5 and enumeration as rivals', () => {
  it('answer only from the scope, FTS5 with chunks that share a token', async () => {
    const rival = await Fts5Rival.open(join(directory, 'fts.db'), corpus)
    const tokens = tokenize(text.chunk(50)).slice(0, 3)
    const found = rival.search(tokens, 20, ['kb-tenth'])
    expect(found.length).toBeGreaterThan(0)
    for (const chunk of found) {
      expect(tenth).toContain(chunk)
      expect(tokenize(text.chunk(chunk)).some((token) => tokens.includes(token))).toBe(true)
    }
    expect(rival.search(tokens, 20, corpus.layout.knowledgeBaseIds)).toHaveLength(20)
    rival.close()
  })

  it('rank a chunk first by enumeration for its own rare error code', async () => {
    const rival = await Fts5Rival.open(join(directory, 'fts.db'), corpus)
    const code = tenth.map((chunk) => /ERR_[A-Z]+_\d+/.exec(text.chunk(chunk))![0])
    const rare = tenth.find((_, index) => code.filter((other) => other === code[index]).length === 1)!
    const tokens = [code[rare - 40]!.toLowerCase()]
    expect(rival.enumerate(tokens, 20, 'kb-tenth')).toEqual([rare])
    expect(rival.search(tokens, 20, ['kb-tenth'])).toEqual([rare])
    rival.close()
  })
})

describe('a kept database', () => {
  it('is built once and then opened as it is', async () => {
    const path = join(directory, 'kept.db')
    let builds = 0
    for (let time = 0; time < 2; time++) {
      const database = await keptDatabase(path, (empty) => {
        builds++
        empty.exec('CREATE TABLE t (v)')
      })
      database.close()
    }
    expect(builds).toBe(1)
  })

  it('is never there half built', async () => {
    const path = join(directory, 'broken.db')
    const failing = keptDatabase(path, () => {
      throw new Error('disk full')
    })
    await expect(failing).rejects.toThrow('disk full')
    await expect(stat(path)).rejects.toThrow(/ENOENT/)
    await writeFile(`${path}.building`, 'rubbish of an interrupted build')
    const database = await keptDatabase(path, (empty) => empty.exec('CREATE TABLE t (v)'))
    expect(database.prepare('SELECT count(*) AS n FROM t').get()?.n).toBe(0)
    database.close()
  })
})
