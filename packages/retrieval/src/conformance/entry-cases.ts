import type { StructuredEntry } from '../ports/index.ts'
import type { IndexCase, IndexContext } from './index-suite.ts'
import { atAngle, entryOf, home, matchOf, neighbour, strictly } from './structured/structured-data.ts'
import { documentOf, plainChunks } from './test-data.ts'
import { rejectionOf } from './test-api.ts'

/** Replacements under way while readers look. */
const REPLACEMENTS = 20

/** Writes a document with its entry; both say their version. */
async function write({ index, dimension }: IndexContext, version: number, entry?: StructuredEntry): Promise<void> {
  const chunks = plainChunks([`shared v${version}`], dimension)
  await index.writer.replaceDocument(documentOf(home, 'd', { version }), chunks, entry)
}

function entryOfVersion({ dimension }: IndexContext, version: number): StructuredEntry {
  const rest = { project: 'p', errorCodes: ['E1', 'E2'], vector: atAngle(version, dimension) }
  return entryOf(home, 'd', { body: `shared v${version}`, title: 'Gateway 网关', ...rest })
}

async function bodiesIn({ index }: IndexContext): Promise<string[]> {
  const { hits } = await index.structured.match(matchOf({ ...strictly('shared'), pairs: [home, neighbour] }))
  return hits.map((hit) => hit.document.body)
}

async function contentsOf({ index }: IndexContext): Promise<string[]> {
  const request = { chunkIds: ['d#0000'], scope: { pairs: [home] }, withVectors: false, withTokenVectors: false }
  return (await index.chunks.read(request)).map((chunk) => chunk.content)
}

async function entriesOf({ index }: IndexContext): Promise<StructuredEntry[]> {
  const entries: StructuredEntry[] = []
  for await (const entry of index.entries()) entries.push(entry)
  return entries
}

/** What `DocumentWriter` promises of the entry that goes with the chunks. */
export const entryCases: Readonly<Record<string, IndexCase>> = {
  'shows the entry of the old version or of the new one while both are replaced, never none': async (context) => {
    const { expect } = context
    await write(context, 1, entryOfVersion(context, 1))
    for (let version = 2; version <= REPLACEMENTS; version++) {
      const replacing = write(context, version, entryOfVersion(context, version))
      const [, seen] = await Promise.all([replacing, bodiesIn(context)])
      expect(seen.length === 1 && [`shared v${version - 1}`, `shared v${version}`].includes(seen[0]!)).toBe(true)
      expect(await bodiesIn(context)).toEqual([`shared v${version}`])
      expect(await contentsOf(context)).toEqual([`shared v${version}`])
    }
  },
  'leaves no entry of a document that is written without one': async (context) => {
    await write(context, 1, entryOfVersion(context, 1))
    await write(context, 2)
    context.expect(await bodiesIn(context)).toEqual([])
    context.expect(await entriesOf(context)).toEqual([])
    context.expect(await context.index.structured.listDocuments(home)).toEqual([])
  },
  'deletes the entry with its document': async (context) => {
    await write(context, 1, entryOfVersion(context, 1))
    context.expect(await context.index.writer.deleteDocument(neighbour, 'd')).toBe(false)
    context.expect(await bodiesIn(context)).toEqual(['shared v1'])
    context.expect(await context.index.writer.deleteDocument(home, 'd')).toBe(true)
    context.expect(await bodiesIn(context)).toEqual([])
  },
  'refuses an entry of another document, type or width, and changes neither entry nor chunks': async (context) => {
    await write(context, 1, entryOfVersion(context, 1))
    const next = entryOfVersion(context, 2)
    const refused = [
      { ...next, documentId: 'e' },
      { ...next, knowledgeBaseId: neighbour.knowledgeBaseId },
      { ...next, knowledgeType: 'no-such-type' },
      { ...next, vector: new Float32Array(context.dimension + 1).fill(1) },
      { ...next, vector: new Float32Array(context.dimension) }
    ]
    for (const entry of refused) {
      const error = await rejectionOf(write(context, 2, entry))
      context.expect((error as { failure?: unknown } | undefined)?.failure).toBe('invalid-argument')
    }
    context.expect(await bodiesIn(context)).toEqual(['shared v1'])
    context.expect(await contentsOf(context)).toEqual(['shared v1'])
  },
  'gives one entry back whole, of its own pair alone': async (context) => {
    const { index, expect, dimension } = context
    const first = entryOfVersion(context, 1)
    const other = entryOf(neighbour, 'd', { body: 'other', createdAt: 5 })
    await write(context, 1, first)
    await index.writer.replaceDocument(documentOf(neighbour, 'd'), plainChunks(['other'], dimension), other)
    const found = await index.entry(home, 'd')
    expect({ ...found, vector: [...found!.vector!] }).toEqual({ ...first, vector: [...first.vector!] })
    expect(await index.entry(neighbour, 'd')).toEqual(other)
    expect(await index.entry(home, 'unknown')).toBe(undefined)
    await write(context, 2)
    expect(await index.entry(home, 'd')).toBe(undefined)
  },
  'gives every entry back whole': async (context) => {
    const { index, expect, dimension } = context
    const first = entryOfVersion(context, 1)
    const bare = entryOf(neighbour, 'bare', { equipment: 'press', createdAt: 5 })
    await write(context, 1, first)
    await index.writer.replaceDocument(documentOf(neighbour, 'bare'), plainChunks(['other'], dimension), bare)
    const found = await entriesOf(context)
    const byId = found.toSorted((left, right) => (left.documentId < right.documentId ? -1 : 1))
    expect(byId.map((entry) => ({ ...entry, vector: entry.vector && [...entry.vector] }))).toEqual([
      { ...bare, vector: undefined },
      { ...first, vector: [...first.vector!] }
    ])
  }
}
