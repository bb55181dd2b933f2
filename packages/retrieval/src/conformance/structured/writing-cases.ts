import type { StructuredIndex } from '../../ports/index.ts'
import { rejectionOf } from '../test-api.ts'
import { pairOf } from '../test-data.ts'
import { atAngle, entryOf, home, ids, idSet, matchOf, neighbour, stranger, strictly } from './structured-data.ts'
import { streamOf, writeAll } from './structured-suite.ts'
import type { Cases } from './structured-suite.ts'

/** Replacements under way while readers look; each is one chance to see half of one. */
const REPLACEMENTS = 20

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return ((await rejectionOf(promise)) as { failure?: unknown } | undefined)?.failure
}

async function bodies(index: StructuredIndex, keyword: string): Promise<string[]> {
  const { hits } = await index.match(matchOf(strictly(keyword)))
  return hits.map((hit) => hit.document.body)
}

export const writingCases: Cases = {
  'replaces a document whole, and again without a change': async ({ index, expect }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    await writeAll(index, [entryOf(home, 'd', { title: 'old', body: 'shared old', project: 'p', vector })])
    const next = entryOf(home, 'd', { body: 'shared new', errorCodes: ['E1'] })
    for (let time = 0; time < 2; time++) {
      await index.replaceDocument(next)
      expect(await bodies(index, 'shared')).toEqual(['shared new'])
      expect(await bodies(index, 'old')).toEqual([])
      expect(ids(await index.match(matchOf({ filters: { project: 'p' } })))).toEqual([])
      const nearest = { vector, k: 5, numCandidates: 100, pairs: [home], filters: {} }
      expect(await index.nearest(nearest)).toEqual({ total: 0, hits: [] })
    }
  },
  'finds a document that changed its type under the new one alone': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'd', { knowledgeType: 'alarm', body: 'disk' })])
    await writeAll(index, [entryOf(home, 'd', { knowledgeType: 'setup', body: 'disk' })])
    const under = async (knowledgeType: string): Promise<string[]> =>
      ids(await index.match(matchOf({ ...strictly('disk'), filters: { knowledgeType } })))
    expect([await under('alarm'), await under('setup')]).toEqual([[], ['d']])
    expect((await index.match(matchOf(strictly('disk')))).total).toBe(1)
  },
  'refuses a type that is not configured, and changes nothing': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'd', { body: 'disk' })])
    const other = entryOf(home, 'd', { knowledgeType: 'no-such-type', body: 'disk new' })
    expect(await failureOf(index.replaceDocument(other))).toBe('invalid-argument')
    expect(await bodies(index, 'disk')).toEqual(['disk'])
  },
  'deletes for good when it resolves, says whether there was anything, and only of the pair named': async ({
    index,
    expect
  }) => {
    const pairs = [home, neighbour, stranger]
    await writeAll(
      index,
      pairs.map((pair) => entryOf(pair, 'd', { body: `disk of ${pair.knowledgeBaseId}` }))
    )
    expect(await index.deleteDocument(home, 'd')).toBe(true)
    expect(await index.deleteDocument(home, 'd')).toBe(false)
    expect(await index.deleteDocument(pairOf('tenant', 'kb-unknown'), 'd')).toBe(false)
    const left = await index.match(matchOf({ ...strictly('disk'), pairs }))
    expect(left.hits.map((hit) => hit.document.tenantId).toSorted()).toEqual(['stranger', 'tenant'])
    expect(await index.deleteDocument(neighbour, 'd')).toBe(true)
    const last = await index.match(matchOf({ ...strictly('disk'), pairs }))
    expect(last.hits.map((hit) => hit.document.tenantId)).toEqual(['stranger'])
  },
  'lists the documents of a pair in corpus order, of every type': async ({ index, expect }) => {
    const vector = atAngle(0, index.capabilities.dimension)
    await writeAll(index, [
      entryOf(home, 'b', { createdAt: 2, contentHash: 'hash b', vector }),
      entryOf(home, 'c', { createdAt: 1, contentHash: 'hash c', knowledgeType: 'setup' }),
      entryOf(home, 'a', { createdAt: 2, contentHash: 'hash a' }),
      entryOf(stranger, 'theirs')
    ])
    expect(await index.listDocuments(home)).toEqual([
      { documentId: 'c', knowledgeType: 'setup', contentHash: 'hash c', hasVector: false },
      { documentId: 'a', knowledgeType: 'alarm', contentHash: 'hash a', hasVector: false },
      { documentId: 'b', knowledgeType: 'alarm', contentHash: 'hash b', hasVector: true }
    ])
    expect(await index.listDocuments(pairOf('tenant', 'kb-unknown'))).toEqual([])
  },
  'lists more documents than fit on one page of an engine': async ({ index, expect }) => {
    const entries = Array.from({ length: 120 }, (_, number) => entryOf(home, `d${100 + number}`))
    await index.rebuild(streamOf(entries))
    const listed = await index.listDocuments(home)
    expect(listed.map((entry) => entry.documentId)).toEqual(entries.map((entry) => entry.documentId))
  },
  'rebuilds from a stream: the old is gone, the new is there, and writes go on behind it': async ({
    index,
    expect
  }) => {
    await writeAll(index, [entryOf(home, 'old', { body: 'disk' }), entryOf(stranger, 'old', { body: 'disk' })])
    const types = index.capabilities.knowledgeTypes
    await index.rebuild(
      streamOf(types.map((knowledgeType) => entryOf(home, knowledgeType, { knowledgeType, body: 'disk' })))
    )
    const pairs = [home, stranger]
    expect(idSet(await index.match(matchOf({ ...strictly('disk'), pairs })))).toEqual(types.toSorted())
    await writeAll(index, [entryOf(home, 'late', { body: 'disk' })])
    expect((await index.match(matchOf(strictly('disk')))).total).toBe(types.length + 1)
    await index.rebuild(streamOf([]))
    expect((await index.match(matchOf({ pairs }))).total).toBe(0)
  },
  'keeps the old whole when the stream of a rebuild fails, or carries what is refused': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'old', { body: 'disk' })])
    const error = new Error('the source broke')
    const next = entryOf(home, 'new', { body: 'disk' })
    expect(await rejectionOf(index.rebuild(streamOf([next], error)))).toBe(error)
    const unknown = entryOf(home, 'other', { knowledgeType: 'no-such-type' })
    expect(await failureOf(index.rebuild(streamOf([next, unknown])))).toBe('invalid-argument')
    expect(ids(await index.match(matchOf(strictly('disk'))))).toEqual(['old'])
  },
  'rejects with the reason of an aborted signal': async ({ index, expect }) => {
    const signal = AbortSignal.abort(new Error('the caller left'))
    const vector = atAngle(0, index.capabilities.dimension)
    const request = matchOf(strictly('disk'))
    const searches = [
      () => index.match(request, signal),
      () => index.facets({ ...request, fields: ['project'], buckets: 20 }, signal),
      () => index.nearest({ vector, k: 5, numCandidates: 100, pairs: [home], filters: {} }, signal)
    ]
    for (const search of searches) expect(await rejectionOf(search())).toBe(signal.reason)
  },
  'is closed when closed: searches fail, and never answer empty': async ({ index, expect }) => {
    await writeAll(index, [entryOf(home, 'd', { body: 'disk' })])
    await index.close()
    expect(await failureOf(index.match(matchOf(strictly('disk'))))).toBe('closed')
    expect(await failureOf(index.replaceDocument(entryOf(home, 'e')))).toBe('closed')
  }
}

/** Replaces one document over and over while readers look, and gives what was wrong with what they saw. */
async function replaceUnderReaders(index: StructuredIndex, typeOf: (number: number) => string): Promise<string[]> {
  const replace = (number: number): Promise<void> =>
    index.replaceDocument(entryOf(home, 'd', { body: `shared ${number}`, knowledgeType: typeOf(number) }))
  await replace(0)
  const faults: string[] = []
  for (let number = 1; number <= REPLACEMENTS; number++) {
    const readers = Array.from({ length: 3 }, () => bodies(index, 'shared'))
    const [, ...seen] = await Promise.all([replace(number), ...readers])
    const allowed = [`shared ${number - 1}`, `shared ${number}`]
    for (const found of seen) if (found.length !== 1 || !allowed.includes(found[0]!)) faults.push(found.join())
    const after = await bodies(index, 'shared')
    if (after.join() !== allowed[1]) faults.push(`behind replacement ${number}: ${after.join()}`)
  }
  return faults
}

export const replacementCases: Cases = {
  'shows readers the old entry or the new one while it is replaced, never none and never both': async (context) => {
    context.expect(await replaceUnderReaders(context.index, () => 'alarm')).toEqual([])
  }
}

export const atomicCases: Cases = {
  'shows readers the old entry or the new one though its type changes': async (context) => {
    const turns = ['alarm', 'setup']
    context.expect(await replaceUnderReaders(context.index, (number) => turns[number % 2]!)).toEqual([])
  }
}
