import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSet } from './load-set.ts'

let directory: string

const good = {
  'corpus.jsonl': '{"id":"a","title":"T","text":"x","lang":"en"}\n{"id":"b","title":"","text":"y"}\n',
  'dev/queries.jsonl': '{"id":"q1","text":"one","lang":"en"}\n{"id":"q2","text":"two"}\n',
  'dev/qrels.tsv': 'q1\ta\t2\nq1\tb\t0\nq2\tb\t1\n'
}

async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content)
}

async function failure(): Promise<AppError> {
  const error = await loadSet(directory, { half: 'dev' }).then(
    () => undefined,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(AppError)
  return error as AppError
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'oncall-set-'))
  await mkdir(join(directory, 'dev'))
  await write(good)
})

afterEach(async () => {
  await rm(directory, { recursive: true, force: true })
})

describe('loading an evaluation set', () => {
  it('gives documents in file order, queries and graded judgements', async () => {
    const set = await loadSet(directory, { half: 'dev' })
    expect(set.documents.map((document) => document.id)).toEqual(['a', 'b'])
    expect(set.documents[1]).toMatchObject({ title: '', text: 'y' })
    expect(set.queries.map((query) => query.text)).toEqual(['one', 'two'])
    expect(set.judgements.get('q1')).toEqual(
      new Map([
        ['a', 2],
        ['b', 0]
      ])
    )
    expect(set.half).toBe('dev')
  })

  it('takes queries and judgements from files named one by one', async () => {
    await write({ 'mine.jsonl': '{"id":"m","text":"mine"}', 'mine.tsv': 'm\ta\t1' })
    const set = await loadSet(directory, {
      queries: join(directory, 'mine.jsonl'),
      qrels: join(directory, 'mine.tsv')
    })
    expect(set).toMatchObject({ half: 'custom', queries: [{ id: 'm', text: 'mine' }] })
  })

  it('reads files with a byte order mark, carriage returns and blank lines', async () => {
    await write({ 'dev/qrels.tsv': '\uFEFFq1\ta\t2\r\n\r\nq2\tb\t1\r\n' })
    const set = await loadSet(directory, { half: 'dev' })
    expect(set.judgements.get('q1')?.get('a')).toBe(2)
    expect(set.queries).toHaveLength(2)
  })

  it('leaves out queries without judgement and says how many', async () => {
    await write({ 'dev/qrels.tsv': 'q2\tb\t1\nq3\ta\t1\n' })
    const set = await loadSet(directory, { half: 'dev' })
    expect(set.queries.map((query) => query.id)).toEqual(['q2'])
    expect(set.leftOut).toEqual({ queriesWithoutJudgement: 1, judgedQueriesNotAsked: 1 })
  })

  it.each(['corpus.jsonl', 'dev/queries.jsonl', 'dev/qrels.tsv'])('names %s when it is missing', async (name) => {
    await rm(join(directory, name))
    const error = await failure()
    expect(error.code).toBe('PATH_UNREADABLE')
    expect(error.message).toContain(name)
    expect(error.details).toMatchObject({ reason: 'ENOENT' })
  })

  it.each([
    ['corpus.jsonl', '{"id":"a","text":"x"}\n{"id":"a","text":"y"}', 2, /stands twice/],
    ['corpus.jsonl', '{"id":"a","text":"x"\n', 1, /not JSON/],
    ['corpus.jsonl', '["a"]\n', 1, /not a JSON object/],
    ['corpus.jsonl', '{"id":7,"text":"x"}\n', 1, /"id" is not a string/],
    ['corpus.jsonl', '{"title":"x","text":"x"}\n', 1, /"id" is missing/],
    ['dev/queries.jsonl', '{"id":"q1","text":" "}\n', 1, /"text" is missing or blank/],
    ['dev/queries.jsonl', '{"id":"q1","text":"x"}\n{"id":"q1","text":"y"}\n', 2, /stands twice/],
    ['dev/qrels.tsv', 'q1\ta\t1\nq1 b 1\n', 2, /divided by tabs/],
    ['dev/qrels.tsv', 'q1\ta\t1\t9\n', 1, /divided by tabs/],
    ['dev/qrels.tsv', 'q1\ta\t-1\n', 1, /whole number/],
    ['dev/qrels.tsv', 'q1\ta\t0.5\n', 1, /whole number/],
    ['dev/qrels.tsv', 'q1\tzzz\t1\n', 1, /no document "zzz"/],
    ['dev/qrels.tsv', 'q1\ta\t1\nq1\ta\t2\n', 2, /judged twice/]
  ])('refuses %s with %j and names line %i', async (name, content, line, reason) => {
    await write({ [name]: content })
    const error = await failure()
    expect(error.code).toBe('VALIDATION_FAILED')
    expect(error.message).toContain(`${name}, line ${line}`)
    expect(error.message).toMatch(reason)
    expect(error.details).toMatchObject({ line })
  })

  it.each([
    ['corpus.jsonl', '\n', /no document/],
    ['dev/queries.jsonl', '', /no query/],
    ['dev/qrels.tsv', 'other\ta\t1\n', /is judged here/]
  ])('refuses %s with nothing to use in it', async (name, content, reason) => {
    await write({ [name]: content })
    expect((await failure()).message).toMatch(reason)
  })

  it('refuses a file that is not UTF-8', async () => {
    await write({ 'corpus.jsonl': Buffer.from('{"id":"a","text":"\xb4\xc5"}', 'latin1') })
    expect((await failure()).message).toMatch(/not UTF-8/)
  })
})
