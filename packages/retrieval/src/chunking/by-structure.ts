import type { ExtractedText } from './block.ts'
import type { ChunkOptions, ChunkSlice } from './chunk-options.ts'
import { cutTable } from './cut-table.ts'
import { Gauge } from './gauge.ts'
import { packUnits } from './pack-units.ts'
import { sectionsOf } from './section.ts'
import type { BodyBlock, Section } from './section.ts'
import { contentOf } from './span.ts'
import type { Part } from './span.ts'
import { unitsOf } from './unit.ts'

/**
 * One section at a time: neighbouring blocks of a section are packed up to the size, and no chunk crosses a heading,
 * because the headings are not in the content and one chunk has one path. So an alert, a setting or an error code with
 * a heading of its own is a chunk of its own, however short.
 */
export function chunkByStructure(extracted: ExtractedText, options: ChunkOptions): Omit<ChunkSlice, 'sequence'>[] {
  return sectionsOf(extracted, options).flatMap((section) => {
    const parts = partsOf(extracted.text, section, options)
    return parts.map((part) => ({
      headingPath: section.headingPath,
      content: contentOf(extracted.text, part),
      start: part.start,
      end: part.end,
      ...(part.page === undefined ? {} : { page: part.page })
    }))
  })
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
