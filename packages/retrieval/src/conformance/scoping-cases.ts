import type { MetadataValue, Recall, Scope } from '../ports/index.ts'
import { scopeOf } from './index-suite.ts'
import type { IndexCase, IndexContext } from './index-suite.ts'
import { documentOf, pairOf, plainChunks } from './test-data.ts'

/** How a branch is asked for what a text says. */
export type Search = (context: IndexContext, text: string, scope: Scope, limit?: number) => Promise<Recall>

/** Decimals that must agree; float32 cosines have about seven. */
const SCORE_DIGITS = 5

const home = pairOf('tenant', 'kb')
const other = pairOf('tenant', 'kb-other')
const stranger = pairOf('stranger', 'kb')

async function write(
  { index, dimension }: IndexContext,
  document: ReturnType<typeof documentOf>,
  ...contents: string[]
): Promise<void> {
  await index.writer.replaceDocument(document, plainChunks(contents, dimension))
}

function ids(recall: Recall): string[] {
  return recall.hits.map((hit) => hit.chunkId)
}

/** Hits whose scores may differ by rounding: an engine may sum in another order when there is more to sum. */
function rounded(recall: Recall): readonly (readonly [string, string])[] {
  return recall.hits.map((hit) => [hit.chunkId, hit.score.toFixed(SCORE_DIGITS)])
}

/** What both branches promise about scope, order and visibility; the same cases for words and for meanings. */
export function scopingCases(search: Search): Readonly<Record<string, IndexCase>> {
  return { ...scopeCases(search), ...orderCases(search), ...changeCases(search) }
}

function scopeCases(search: Search): Record<string, IndexCase> {
  return {
    'does not starve a small scope beside a large one, nor move its scores when the large one grows': async (
      context
    ) => {
      await write(context, documentOf(home, 'small'), 'timeout one', 'timeout two', 'timeout three')
      const alone = await search(context, 'timeout one', scopeOf(home))
      const many = Array.from({ length: 300 }, (_, index) => `timeout one ${index % 7}`)
      await write(context, documentOf(other, 'large'), ...many)
      await write(context, documentOf(stranger, 'foreign'), ...many)
      const beside = await search(context, 'timeout one', scopeOf(home))
      context.expect(ids(beside).toSorted()).toEqual(['small#0000', 'small#0001', 'small#0002'])
      context.expect(rounded(beside)).toEqual(rounded(alone))
    },
    'answers an empty scope with nothing, and never takes it for everything': async (context) => {
      await write(context, documentOf(home, 'd'), 'disk')
      context.expect(ids(await search(context, 'disk', { pairs: [] }))).toEqual([])
      context.expect(ids(await search(context, 'disk', { ...scopeOf(home), documentIds: [] }))).toEqual([])
      context.expect(ids(await search(context, 'disk', scopeOf(pairOf('tenant', 'unknown'))))).toEqual([])
    },
    'keeps tenants apart though their knowledge bases have one name': async (context) => {
      await write(context, documentOf(home, 'mine'), 'disk')
      await write(context, documentOf(stranger, 'theirs'), 'disk')
      context.expect(ids(await search(context, 'disk', scopeOf(home)))).toEqual(['mine#0000'])
      const crossed = scopeOf(pairOf('tenant', 'kb-other'), pairOf('stranger', 'kb-other'))
      context.expect(ids(await search(context, 'disk', crossed))).toEqual([])
    },
    'takes the union of more than 16 knowledge bases': async (context) => {
      const pairs = Array.from({ length: 20 }, (_, index) => pairOf('tenant', `kb-${index}`))
      for (const [index, pair] of pairs.entries()) await write(context, documentOf(pair, `d${10 + index}`), 'disk')
      const expected = pairs.map((_, index) => `d${10 + index}#0000`)
      context.expect(ids(await search(context, 'disk', scopeOf(...pairs), 30))).toEqual(expected)
    },
    'filters metadata by value and type, the chunk overlaying its document': async (context) => {
      const values: readonly MetadataValue[] = [1, '1', true, 'true', 0, false, '']
      for (const [index, level] of values.entries()) {
        await write(context, documentOf(home, `d${index}`, { metadata: { level } }), 'disk')
      }
      for (const [index, level] of values.entries()) {
        const found = await search(context, 'disk', { ...scopeOf(home), metadata: { level } })
        context.expect({ level, found: ids(found) }).toEqual({ level, found: [`d${index}#0000`] })
      }
      const [chunk] = plainChunks(['disk'], context.dimension)
      const overlaid = documentOf(home, 'overlaid', { metadata: { level: 1, env: 'prod' } })
      await context.index.writer.replaceDocument(overlaid, [{ ...chunk!, metadata: { level: 2 } }])
      const both = await search(context, 'disk', { ...scopeOf(home), metadata: { level: 2, env: 'prod' } })
      context.expect(ids(both)).toEqual(['overlaid#0000'])
      const covered = await search(context, 'disk', { ...scopeOf(home), metadata: { level: 1, env: 'prod' } })
      context.expect(ids(covered)).toEqual([])
    }
  }
}

function orderCases(search: Search): Record<string, IndexCase> {
  return {
    'puts equal scores in corpus order: creation time, document id, sequence, across knowledge bases': async (
      context
    ) => {
      await write(context, documentOf(home, 'b', { createdAt: 2 }), 'disk', 'disk')
      await write(context, documentOf(other, 'a', { createdAt: 2 }), 'disk')
      await write(context, documentOf(home, 'z', { createdAt: 1 }), 'disk')
      const found = await search(context, 'disk', scopeOf(other, home))
      context.expect(ids(found)).toEqual(['z#0000', 'a#0000', 'b#0000', 'b#0001'])
      context.expect(ids(await search(context, 'disk', scopeOf(home, other), 2))).toEqual(['z#0000', 'a#0000'])
    },
    'keeps the corpus order of a document that is replaced': async (context) => {
      await write(context, documentOf(home, 'first', { createdAt: 1 }), 'disk')
      await write(context, documentOf(home, 'second', { createdAt: 2 }), 'disk')
      await write(context, documentOf(home, 'first', { createdAt: 1, version: 2 }), 'disk')
      context.expect(ids(await search(context, 'disk', scopeOf(home)))).toEqual(['first#0000', 'second#0000'])
    }
  }
}

function changeCases(search: Search): Record<string, IndexCase> {
  return {
    'answers as if a replaced or deleted document had never been another': async (context) => {
      await write(context, documentOf(home, 'kept'), 'disk full', 'restart the gateway')
      const clean = await search(context, 'disk gateway', scopeOf(home))
      await write(context, documentOf(home, 'changing'), ...Array.from({ length: 50 }, () => 'disk disk disk'))
      await write(context, documentOf(home, 'changing', { version: 2 }), 'unrelated words')
      await write(context, documentOf(home, 'gone'), ...Array.from({ length: 50 }, () => 'gateway'))
      context.expect(await context.index.writer.deleteDocument(home, 'gone')).toBe(true)
      context.expect(await context.index.writer.deleteDocument(home, 'changing')).toBe(true)
      context.expect(rounded(await search(context, 'disk gateway', scopeOf(home)))).toEqual(rounded(clean))
    },
    'carries the version of the document, and a revision that grows with each change': async (context) => {
      await write(context, documentOf(home, 'd'), 'disk')
      const before = await search(context, 'disk', scopeOf(home))
      await write(context, documentOf(home, 'd', { version: 7 }), 'disk')
      const behind = await search(context, 'disk', scopeOf(home))
      context.expect(before.hits.map((hit) => [hit.documentId, hit.documentVersion])).toEqual([['d', 1]])
      context.expect(behind.hits.map((hit) => [hit.documentId, hit.documentVersion])).toEqual([['d', 7]])
      context.expect(behind.revision > before.revision).toBe(true)
    }
  }
}
