import type { ExtractedText } from './block.ts'
import type { ChunkOptions, ChunkSlice } from './chunk-options.ts'
import { cutAt } from './cut-at.ts'
import { windowEnd } from './cut-hard.ts'
import { Gauge } from './gauge.ts'
import { graphemeBoundary } from '../graphemes/index.ts'
import { packUnits } from './pack-units.ts'
import { pageAt, passagesOf } from './passage.ts'
import type { Passage } from './passage.ts'
import { contentOf, trimSpan } from './span.ts'
import type { Part } from './span.ts'
import { splitSpan } from './split-span.ts'
import { unitsOf } from './unit.ts'
import type { Unit } from './unit.ts'

type RunningStrategy = 'paragraph' | 'fixed' | 'word'

/** UTF-16 units tried for the first window; each next one tries the length of the last. */
const FIRST_WINDOW = 1_024

const PARTS_OF: Readonly<Record<RunningStrategy, (text: string, passage: Passage, options: ChunkOptions) => Part[]>> = {
  paragraph: paragraphParts,
  fixed: windowParts,
  word: wordParts
}

/** Chunks of a document read straight on: headings are part of the content, and there is no heading path. */
export function chunkByRunningText(extracted: ExtractedText, options: ChunkOptions): Omit<ChunkSlice, 'sequence'>[] {
  const partsOf = PARTS_OF[options.strategy as RunningStrategy]
  return passagesOf(extracted).flatMap((passage) =>
    partsOf(extracted.text, passage, options).map((part) => ({
      headingPath: [],
      content: contentOf(extracted.text, part),
      start: part.start,
      end: part.end,
      ...pageAt(passage, part.start)
    }))
  )
}

/** Whole paragraphs up to the size; a longer one is cut at sentences. */
function paragraphParts(text: string, passage: Passage, options: ChunkOptions): Part[] {
  const gauge = new Gauge(options, [])
  const units = unitsOf(text, passage.blocks, gauge).map((unit) => ({ ...unit, enumerated: false }))
  return packUnits(text, units, gauge, options.overlap / options.size)
}

/** Whole words up to the size, whatever they belong to. */
function wordParts(text: string, passage: Passage, options: ChunkOptions): Part[] {
  const gauge = new Gauge(options, [])
  const words = cutAt(text, passage, 'word').flatMap((word) => splitSpan(text, word, { gauge, levels: [], ceiling: 1 }))
  const units = words.map((word): Unit => ({ ...word, kind: 'paragraph', enumerated: false }))
  return packUnits(text, units, gauge, options.overlap / options.size)
}

/** Windows of the size, each beginning with the end of the one before, wherever that cuts; never inside a grapheme. */
function windowParts(text: string, passage: Passage, options: ChunkOptions): Part[] {
  const gauge = new Gauge(options, [])
  const parts: Part[] = []
  let start = passage.start
  let probe = FIRST_WINDOW
  let reached = passage.start
  while (reached < passage.end) {
    const end = windowEnd(text, { start, end: passage.end }, { gauge, ceiling: 1, probe })
    if (end <= reached) {
      // The repeated text weighs as much as a window: go on without it rather than stand still.
      start = reached
      continue
    }
    const span = trimSpan(text, { start, end })
    // Blanks only, or blanks behind what the window before held already: nothing new.
    if (span.start < span.end && span.end > (parts.at(-1)?.end ?? -1)) parts.push(span)
    probe = end - start
    reached = end
    start = graphemeBoundary(text, end - Math.floor((probe * options.overlap) / options.size), start)
  }
  return parts
}
