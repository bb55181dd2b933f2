import type { StoredChunk } from '@oncall-agent/retrieval'

/** What is read of a chunk. */
export type PlacedChunk = Pick<StoredChunk, 'headingPath' | 'content' | 'start' | 'end'>

/**
 * The text of a document put together from its chunks, in which the spans of citations hold: chunks can overlap, and what
 * lies between two of them is no content: blank lines and headings. The headings are known, and are written where they stood
 * as far as they fit; without them a list of what not to do would read like one of what to do.
 */
export function textOfChunks(chunks: Iterable<PlacedChunk>): string {
  let text = ''
  let end = 0
  let path: readonly string[] = []
  for (const chunk of chunks) {
    text +=
      chunk.start < end ? overlapping(chunk, end) : between(chunk, { path, room: chunk.start - end }) + chunk.content
    end = Math.max(end, chunk.end)
    path = chunk.headingPath
  }
  return text
}

/** What a chunk adds behind the end of the one before; one that is not its span to the letter is told whole. */
function overlapping({ content, start, end: chunkEnd }: PlacedChunk, end: number): string {
  return content.length === chunkEnd - start ? content.slice(end - start) : `\n${content}`
}

/** As long as the room, which keeps the places of what follows. */
function between(
  { headingPath, start }: PlacedChunk,
  { path, room }: { readonly path: readonly string[]; readonly room: number }
): string {
  const shared = headingPath.findIndex((heading, at) => heading !== path[at])
  const fresh = shared < 0 ? [] : headingPath.slice(shared).map((heading, at) => ({ heading, level: shared + at + 1 }))
  // Underlined headings and those of other formats have no marks before them: then the words alone, the nearest first.
  const marked = fresh.map(({ heading, level }) => `${'#'.repeat(level)} ${heading}`)
  const bare = fresh.map(({ heading }) => heading)
  const written = [marked, bare, bare.slice(-1)].map((lines) => lines.join('\n\n')).find((lines) => lines.length < room)
  if (written === undefined || written === '') return '\n'.repeat(room)
  const blank = room - written.length
  // A blank line on both sides; nothing stands before the first.
  const behind = Math.min(2, start === room ? blank : Math.ceil(blank / 2))
  return '\n'.repeat(blank - behind) + written + '\n'.repeat(behind)
}
