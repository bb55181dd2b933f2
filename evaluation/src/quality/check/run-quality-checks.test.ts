import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../test-material/temporary-folder.ts'
import { exactSets, flooredRuns } from './checked-sets.ts'
import { runQualityChecks } from './run-quality-checks.ts'

const own = fileURLToPath(new URL('../../../sets', import.meta.url))
const folder = temporaryFolder()

const check = (sets: string) =>
  runQualityChecks({
    folders: { own: sets, shared: undefined },
    cacheDirectory: folder.path,
    onStep: () => undefined
  })

/** A copy of our own set whose judgements all point to one document. */
async function spoiltSets(): Promise<string> {
  const sets = join(folder.path, 'spoilt')
  const name = 'oncall-bilingual'
  await mkdir(join(sets, name, 'dev'), { recursive: true })
  for (const file of ['corpus.jsonl', 'dev/queries.jsonl'])
    await copyFile(join(own, name, file), join(sets, name, file))
  const judgements = await readFile(join(own, name, 'dev/qrels.tsv'), 'utf8')
  const queries = new Set(
    judgements
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0])
  )
  await writeFile(join(sets, name, 'dev/qrels.tsv'), [...queries].map((query) => `${query}\tzh-drill\t1\n`).join(''))
  return sets
}

describe('the quality check', () => {
  it('holds on our own set, and names what is not there to be checked', async () => {
    const lines = await check(own)
    expect(lines.filter((line) => !line.ok)).toEqual([])
    expect(lines.filter((line) => line.text.startsWith('oncall-bilingual'))).toHaveLength(6)
    const absent = lines.filter((line) => line.text.includes('not checked'))
    expect(absent).toHaveLength(exactSets.length + flooredRuns.filter((run) => run.folder === 'shared').length)
  })

  it('fails when retrieval gets worse', async () => {
    const lines = await check(await spoiltSets())
    const failed = lines.filter((line) => !line.ok)
    expect(failed.map((line) => line.text).join('\n')).toMatch(/reranked ndcg@10: 0\.\d+, floor 0\.95/)
  })
})
