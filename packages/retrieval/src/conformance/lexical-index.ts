import type { KnowledgeIndex, Recall, Scope } from '../ports/index.ts'
import { tokenize } from '../tokens/index.ts'
import { indexSuite, scopeOf } from './index-suite.ts'
import type { IndexCase, IndexContext, IndexSuiteOptions } from './index-suite.ts'
import { MemoryIndex } from './memory-index.ts'
import { Random } from './random.ts'
import { randomScope, randomWords, writeRandomWorld } from './random-world.ts'
import { rankingFault } from './ranking-fault.ts'
import { scopingCases } from './scoping-cases.ts'
import { documentOf, pairOf, plainChunks } from './test-data.ts'
import { rejectionOf } from './test-api.ts'
import type { TestApi } from './test-api.ts'

/** Absolute; the guarantee of the port. */
const SCORE_TOLERANCE = 1e-9
const EVERYTHING = 1_000_000

const home = pairOf('tenant', 'kb')

/** Every guarantee of `LexicalIndex`, on indexes that the factory makes empty. */
export function lexicalIndexConformance(
  test: TestApi,
  create: () => Promise<KnowledgeIndex>,
  options: IndexSuiteOptions = {}
): void {
  test.describe('lexical index', () => indexSuite(test, { ...cases, ...scopingCases(search) }, create, options))
}

function search({ index }: Pick<IndexContext, 'index'>, text: string, scope: Scope, limit = 20): Promise<Recall> {
  return index.lexical.search({ tokens: tokenize(text), scope, limit })
}

async function write({ index, dimension }: IndexContext, documentId: string, ...contents: string[]): Promise<void> {
  await index.writer.replaceDocument(documentOf(home, documentId), plainChunks(contents, dimension))
}

async function hitIds(context: IndexContext, text: string): Promise<string[]> {
  return (await search(context, text, scopeOf(home))).hits.map((hit) => hit.chunkId)
}

const cases: Readonly<Record<string, IndexCase>> = {
  'equals brute force in any union of knowledge bases with any filters, over replaced and deleted documents': async ({
    index,
    expect,
    dimension,
    rounds
  }) => {
    const random = new Random(1)
    const reference = new MemoryIndex(dimension)
    const world = await writeRandomWorld([index.writer, reference.writer], random, dimension)
    for (let round = 0; round < rounds; round++) {
      const scope = randomScope(world, random)
      const words = randomWords(random)
      const limit = random.pick([1, 3, 20])
      const actual = await search({ index }, words, scope, limit)
      const all = await search({ index: reference }, words, scope, EVERYTHING)
      const fault = rankingFault(actual, all, { tolerance: SCORE_TOLERANCE, limit })
      expect({ round, words, scope, fault }).toEqual({ round, words, scope, fault: null })
    }
  },

  'gives exact statistics of any scope, 0 for unknown terms, and an average of 0 for an empty scope': async ({
    index,
    expect,
    dimension,
    rounds
  }) => {
    const random = new Random(2)
    const reference = new MemoryIndex(dimension)
    const world = await writeRandomWorld([index.writer, reference.writer], random, dimension)
    for (let round = 0; round < rounds; round++) {
      const scope = randomScope(world, random)
      const terms = [...new Set([...tokenize(randomWords(random)), 'unknown-term'])]
      const actual = await index.lexical.statistics(terms, scope)
      const expected = await reference.lexical.statistics(terms, scope)
      expect({ ...actual, frequency: [...actual.frequency] }).toEqual(expected)
    }
    const nothing = await index.lexical.statistics(['disk'], { pairs: [] })
    expect({ ...nothing, frequency: [...nothing.frequency] }).toEqual({ chunks: 0, averageLength: 0, frequency: [0] })
  },

  'finds one Chinese character, a pair, an astral character, and a part of an identifier': async (context) => {
    await write(context, 'd', '今天玩成语接龙游戏', '𠮷野家', 'see E_CONN_RESET', 'KubePodCrashLooping')
    context.expect(await hitIds(context, '龙')).toEqual(['d#0000'])
    context.expect(await hitIds(context, '成语接龙')).toEqual(['d#0000'])
    context.expect(await hitIds(context, '𠮷')).toEqual(['d#0001'])
    context.expect(await hitIds(context, 'e_conn_reset')).toEqual(['d#0002'])
    context.expect(await hitIds(context, 'crash')).toEqual(['d#0003'])
  },

  'ranks a chunk that has some of the words, and leaves out one that has none': async (context) => {
    await write(context, 'd', '云工开物 300 元学生券', 'something else')
    context.expect(await hitIds(context, '云工开物 优惠券 banner')).toEqual(['d#0000'])
    context.expect(await hitIds(context, 'absent')).toEqual([])
  },

  'searches title and heading path besides the content': async (context) => {
    const [chunk] = plainChunks(['look here'], context.dimension)
    const document = documentOf(home, 'd', { title: 'KubePodCrashLooping' })
    await context.index.writer.replaceDocument(document, [{ ...chunk!, headingPath: ['Impact', 'Diagnosis'] }])
    for (const words of ['kubepodcrashlooping', 'diagnosis', 'impact', 'look']) {
      context.expect(await hitIds(context, words)).toEqual(['d#0000'])
    }
  },

  'counts a repeated token of the query each time': async (context) => {
    await write(context, 'd', 'disk full', 'other words')
    const once = await search(context, 'disk', scopeOf(home))
    const twice = await search(context, 'disk disk', scopeOf(home))
    context.expect(Math.abs(twice.hits[0]!.score - 2 * once.hits[0]!.score) < SCORE_TOLERANCE).toBe(true)
  },

  'answers a query without tokens with nothing': async (context) => {
    await write(context, 'd', 'disk')
    context.expect((await search(context, '？！', scopeOf(home))).hits).toEqual([])
  },

  'rejects with the reason of an aborted signal': async ({ index, expect }) => {
    const signal = AbortSignal.abort(new Error('the caller left'))
    const request = { tokens: ['disk'], scope: scopeOf(home), limit: 20 }
    expect(await rejectionOf(index.lexical.search(request, signal))).toBe(signal.reason)
    expect(await rejectionOf(index.lexical.statistics(['disk'], scopeOf(home), signal))).toBe(signal.reason)
  }
}
