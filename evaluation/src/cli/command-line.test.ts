import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from './run-command-line.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))
const ownSet = fileURLToPath(new URL('../../sets/oncall-bilingual', import.meta.url))
const sets = fileURLToPath(new URL('../../sets', import.meta.url))

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-eval-cli-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly notes: string
}

/** A line for each budget of the design. */
const promised = [
  'vector.over-memory-read',
  'vector.faster-than-sqlite-vec',
  'vector.growth-whole-scope',
  'vector.growth-fixed-scope',
  'lexical.faster-than-enumeration',
  'lexical.faster-than-fts5',
  'lexical.over-tantivy',
  'lexical.growth-whole-scope',
  'lexical.growth-fixed-scope',
  'retrieve.p50',
  'retrieve.p95',
  'retrieve.outside-models',
  'retrieve.share-of-models',
  'retrieve.loop-delay-p99',
  'retrieve.throughput-at-once',
  'search.p50',
  'search.p95',
  'search.opensearch-p50',
  'search.faster-than-opensearch',
  'search.p95-over-opensearch-p50',
  'ingest.chunks-per-second',
  'ingest.health-p95',
  'ingest.index-write',
  'ingest.replace-document',
  'start.health',
  'start.first-retrieval',
  'start.memory',
  'start.disk-with-token-vectors',
  'start.disk-without-token-vectors'
]

/** Keeps what is written. */
class Memory extends Writable {
  text = ''

  constructor() {
    super({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.text += String(chunk)
        done()
      }
    })
  }
}

/** The command line in this process, with a cache of its own. */
async function oncall(...args: readonly string[]): Promise<Ended> {
  const [out, notes] = [new Memory(), new Memory()]
  const argv = ['node', 'oncall', ...args, '--cache', join(directory, 'cache')]
  const code = await runCommandLine(argv, { out, notes, colour: false })
  return { code, out: out.text, notes: notes.text }
}

/** The same as a real process. */
function oncallProcess(...args: readonly string[]): Promise<Ended> {
  const all = ['--disable-warning=ExperimentalWarning', main, ...args]
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: directory }, (error, out, notes) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, notes })
    })
  })
}

describe('oncall eval', () => {
  it('answers JSON alone on stdout, with the names that scripts read', async () => {
    const { code, out } = await oncall('eval', ownSet, '--stages', 'lexical', '--chunking', 'whole', '--json')
    expect(code).toBe(0)
    const result = JSON.parse(out)
    expect(result).toMatchObject({ set: 'oncall-bilingual', half: 'dev', chunking: 'whole', queries: 51, chunks: 50 })
    expect(Object.keys(result.stages)).toEqual(['lexical'])
    expect(Object.keys(result.stages.lexical)).toEqual(['ndcg@5', 'ndcg@10', 'mrr@10', 'recall@20'])
    expect(result.stages.lexical['ndcg@10']).toBeGreaterThan(0.6)
    expect(result.intervals.lexical['ndcg@10']).toHaveLength(2)
  })

  it('loads no model for the lexical stage: nothing is embedded', async () => {
    const { code } = await oncall('eval', ownSet, '--stages', 'lexical', '--chunking', 'whole', '--json')
    expect(code).toBe(0)
    await expect(readFile(join(directory, 'cache', 'embeddings.db'))).rejects.toThrow(/ENOENT/)
  })

  it('cuts documents as uploads are cut unless told otherwise', async () => {
    const { out } = await oncall('eval', ownSet, '--stages', 'lexical', '--json')
    const result = JSON.parse(out)
    expect(result.chunking).toBe('product')
    expect(result.chunks).toBeGreaterThan(result.documents)
  })

  it('measures queries and judgements that are named one by one', async () => {
    const queries = join(directory, 'mine.jsonl')
    const qrels = join(directory, 'mine.tsv')
    await writeFile(queries, '{"id":"m","text":"AUTH-4017"}\n')
    await writeFile(qrels, 'm\tzh-login\t1\n')
    const { out } = await oncall(
      'eval',
      ownSet,
      '--queries',
      queries,
      '--qrels',
      qrels,
      '--stages',
      'lexical',
      '--json'
    )
    const result = JSON.parse(out)
    expect(result).toMatchObject({ half: 'custom', queries: 1 })
    expect(result.stages.lexical['mrr@10']).toBe(1)
  })

  it('shows a person a line a stage', async () => {
    const { code, out } = await oncall('eval', ownSet, '--stages', 'lexical', '--chunking', 'whole')
    expect(code).toBe(0)
    expect(out).toMatch(/51 queries, 50 documents, 50 chunks/)
    expect(out).toMatch(/^lexical +\d\.\d{3} \(/m)
  })

  it('writes a report over many sets', async () => {
    const file = join(directory, 'quality.md')
    const args = ['eval', '--all-sets', sets, '--stages', 'lexical', '--markdown', file, '--json']
    const { code, out } = await oncall(...args)
    expect(code).toBe(0)
    expect(JSON.parse(out).results.map((result: { chunking: string }) => result.chunking)).toEqual(['product', 'whole'])
    const report = await readFile(file, 'utf8')
    expect(report).toContain('# Retrieval quality')
    expect(report).toContain('| oncall-bilingual | 51 |')
  })

  it('tells a missing set as a typed error on stdout and exits 1', async () => {
    const { code, out } = await oncall('eval', join(directory, 'no-such-set'), '--stages', 'lexical', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'PATH_UNREADABLE', details: { reason: 'ENOENT' } }
    })
  })

  it('tells an unknown name among many sets', async () => {
    const { code, notes } = await oncall('eval', '--all-sets', sets, '--only', 'nothing', '--stages', 'lexical')
    expect(code).toBe(1)
    expect(notes).toMatch(/NOT_FOUND .* no set named nothing/)
  })

  it.each([
    [['eval'], /name one set folder/],
    [['eval', ownSet, '--all-sets', sets], /name one set folder/],
    [['eval', ownSet, '--queries', 'x'], /belong together/],
    [['eval', ownSet, '--queries', 'x', '--qrels', 'y', '--half', 'dev'], /exclude each other/],
    [['eval', '--all-sets', sets, '--queries', 'x', '--qrels', 'y'], /of one set/],
    [['eval', ownSet, '--markdown', 'x.md'], /need --all-sets/],
    [['eval', '--all-sets', sets, '--goals', '--only', 'a'], /exclude each other/],
    [['eval', ownSet, '--stages', 'lexical,semantic'], /Stages are/],
    [['eval', ownSet, '--chunking', 'sliced'], /Allowed choices/],
    [['bench', 'everything'], /Allowed choices/],
    [['bench', 'vector', '--chunks', '10'], /whole number from 1000/],
    [['measure'], /unknown command/]
  ])('refuses %j with exit code 2', async (args, reason) => {
    const { code, notes } = await oncall(...args)
    expect(code).toBe(2)
    expect(notes).toMatch(reason)
  })

  it('gives a program the usage error as JSON', async () => {
    const { code, out } = await oncall('eval', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'VALIDATION_FAILED' } })
  })

  it('tells a cache folder that cannot be made, as a process', async () => {
    const data = join(directory, 'a-file')
    await writeFile(data, '')
    const ended = await oncallProcess('eval', ownSet, '--stages', 'lexical', '--json', '--data', data)
    expect(ended.code).toBe(1)
    expect(JSON.parse(ended.out)).toMatchObject({ error: { code: 'PATH_UNREADABLE' } })
  })
})

describe('oncall bench', () => {
  it('answers one line a figure with its budget, at least one for every promise of the design', async () => {
    const { code, out, notes } = await oncall('bench', 'all', '--chunks', '1000', '--json')
    expect(code, notes).toBe(0)
    const { machine, results } = JSON.parse(out)
    expect(machine).toMatch(/Node v24/)
    const names = results.map((result: { name: string }) => result.name)
    expect(names).toEqual(expect.arrayContaining(promised))
    for (const result of results) {
      expect(Object.keys(result).toSorted()).toEqual(['budget', 'name', 'note', 'ok', 'unit', 'value'])
      const skipped = result.ok === null && result.note.startsWith('skipped: ')
      expect(result.value === null ? skipped : result.value > 0, result.name).toBe(true)
    }
  }, 300_000)

  it('exits 1 for a missed budget only when asked to', async () => {
    // A corpus this small is searched faster than its bytes can be counted on to cost anything: the ratio is missed.
    const { code, out } = await oncall('bench', 'vector', '--chunks', '1000', '--json', '--check')
    const missed = JSON.parse(out).results.some((result: { ok: boolean | null }) => result.ok === false)
    expect(code).toBe(missed ? 1 : 0)
  })

  it('writes the report with the machine, the budgets and the command of each line', async () => {
    const file = join(directory, 'speed.md')
    await writeFile(file, '# old\n')
    const { code, out } = await oncall('bench', 'vector', '--chunks', '1000', '--markdown', file)
    expect(code).toBe(0)
    expect(out).toMatch(/^name +value/)
    const report = await readFile(file, 'utf8')
    expect(report).not.toContain('# old')
    expect(report).toMatch(/\| vector.over-memory-read \| [\d.]+ ratio \| <= 1.6 \| .* \| `oncall bench vector` \|/)
  })
})
