import type { ExtractedText } from './block.ts'
import type { ChunkOptions, ChunkSlice } from './chunk-options.ts'
import { cutTable } from './cut-table.ts'
import { Gauge, MAX_CHUNK_CHARACTERS } from './gauge.ts'
import { packUnits } from './pack-units.ts'
import { outlineOf } from './section.ts'
import type { BodyBlock, Outline, Section } from './section.ts'
import { adjoins, contentOf } from './span.ts'
import type { Part } from './span.ts'
import { unitsOf } from './unit.ts'

type Cut = Omit<ChunkSlice, 'sequence'>

/**
 * More headings than this below one, and it is a page of entries (alerts, settings, error codes): each entry stays apart,
 * however short it is, because each is an answer of its own. Fewer are the parts of one answer.
 */
const MAX_PACKED_HEADINGS = 5

/**
 * From the outside in: the parts of one answer (its text, then the sections below it) are packed into as few chunks as
 * their size allows, for larger chunks are found better; what does not fit is cut for itself. A chunk of several sections
 * has the path of the heading above them all, and their heading lines in its content.
 */
export function chunkByStructure(extracted: ExtractedText, options: ChunkOptions): Cut[] {
  return cutOutline(extracted.text, outlineOf(extracted, options), options)
}

function cutOutline(text: string, outline: Outline, options: ChunkOptions): Cut[] {
  const { headingPath } = outline
  const parts = partsOfAnswer(outline)
  const mayPack = headingsBelow(outline) <= MAX_PACKED_HEADINGS
  const cuts: Cut[] = []
  for (let first = 0; first < parts.length;) {
    const packed = mayPack ? packTogether(text, { headingPath, parts: parts.slice(first) }, options) : null
    cuts.push(...(packed === null ? cutAlone(text, parts[first]!, options) : [packed.chunk]))
    first += packed?.count ?? 1
  }
  return cuts
}

/** The outline's own text, as an outline without headings, then what stands below it. */
function partsOfAnswer({ headingPath, blocks, children }: Outline): readonly Outline[] {
  return blocks.length === 0 ? children : [{ heading: null, headingPath, blocks, children: [] }, ...children]
}

function cutAlone(text: string, part: Outline, options: ChunkOptions): Cut[] {
  return part.heading === null ? cutSection(text, part, options) : cutOutline(text, part, options)
}

interface Packable {
  readonly headingPath: readonly string[]
  readonly parts: readonly Outline[]
}

/** As many of the first parts as make one chunk, at least two; null where even two do not. */
function packTogether(text: string, { headingPath, parts }: Packable, options: ChunkOptions) {
  for (let count = parts.length; count > 1; count--) {
    const chunk = chunkOf(text, { headingPath, parts: parts.slice(0, count) }, options)
    if (chunk !== null) return { chunk, count }
  }
  return null
}

/** The parts as one chunk; null where they do not fit, hold a long list, or what lies between them may not be read. */
function chunkOf(text: string, { headingPath, parts }: Packable, options: ChunkOptions): Cut | null {
  if (!parts.some(hasText)) return null
  const blocks = parts.flatMap(readingOrder)
  const isContinuous = blocks.every((block, index) => index === 0 || adjoins(text, blocks[index - 1]!, block))
  if (!isContinuous || blocks.at(-1)!.end - blocks[0]!.start > MAX_CHUNK_CHARACTERS) return null
  const chunks = cutSection(text, { headingPath, blocks }, options)
  return chunks.length === 1 ? chunks[0]! : null
}

function hasText({ blocks, children }: Outline): boolean {
  return blocks.length > 0 || children.some(hasText)
}

function headingsBelow(outline: Outline): number {
  return outline.children.reduce((sum, child) => sum + 1 + headingsBelow(child), 0)
}

/** Everything of a part, its own heading and those below it as text. */
function readingOrder({ heading, blocks, children }: Outline): BodyBlock[] {
  const line: BodyBlock[] = heading === null ? [] : [{ ...heading, kind: 'paragraph' }]
  return [...line, ...blocks, ...children.flatMap(readingOrder)]
}

function cutSection(text: string, section: Section, options: ChunkOptions): Cut[] {
  return partsOf(text, section, options).map((part) => ({
    headingPath: section.headingPath,
    content: contentOf(text, part),
    start: part.start,
    end: part.end,
    ...(part.page === undefined ? {} : { page: part.page })
  }))
}

function partsOf(text: string, section: Section, options: ChunkOptions): Part[] {
  const gauge = new Gauge(options, section.headingPath)
  const parts: Part[] = []
  let together: BodyBlock[] = []
  const pack = (): void => {
    parts.push(...packUnits(text, unitsOf(text, together, gauge), gauge, options.overlap / options.size))
    together = []
  }
  for (const block of section.blocks) {
    if (block.kind === 'table' && gauge.load(text.slice(block.start, block.end)) > 1) {
      pack()
      parts.push(...cutTable(text, block, gauge))
    } else {
      together.push(block)
    }
  }
  pack()
  return parts
}
