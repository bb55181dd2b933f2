import { SLOT_MASK } from '../postings/posting-words.ts'
import type { PageSlots } from '../storage/page-slots.ts'
import type { PagePostings } from './posting-reader.ts'

/** By page, 1 at each slot in scope; a page without any is left out. */
export type Masks = Map<number, Uint8Array>

/** The live slots, or undefined when there are none. */
export function maskOfLive(slots: PageSlots): Uint8Array | undefined {
  if (slots.dead === slots.used) return undefined
  const mask = new Uint8Array(slots.used)
  for (let slot = 0; slot < slots.used; slot++) mask[slot] = slots.lengths[slot] === 0 ? 0 : 1
  return mask
}

/** The live slots of some documents, or undefined when there are none. */
export function maskOfDocuments(slots: PageSlots, documents: ReadonlySet<number>): Uint8Array | undefined {
  const mask = new Uint8Array(slots.used)
  let any = false
  // A document's slots stand together, so the set is asked once a document and not once a slot.
  let document = -1
  let wanted = false
  for (let slot = 0; slot < slots.used; slot++) {
    if (slots.documents[slot] !== document) {
      document = slots.documents[slot]!
      wanted = documents.has(document)
    }
    if (wanted && slots.lengths[slot] !== 0) {
      mask[slot] = 1
      any = true
    }
  }
  return any ? mask : undefined
}

/** Takes the slots of some documents out. */
export function takeOut(masks: Masks, documents: ReadonlySet<number>, pages: ReadonlyMap<number, PageSlots>): void {
  for (const [page, mask] of masks) {
    const slots = pages.get(page)!
    let left = 0
    for (let slot = 0; slot < mask.length; slot++) {
      if (mask[slot] === 1 && documents.has(slots.documents[slot]!)) mask[slot] = 0
      left += mask[slot]!
    }
    if (left === 0) masks.delete(page)
  }
}

/** Keeps the slots that have a metadata pair, given the pair's postings. */
export function applyMetadata(masks: Masks, postings: readonly PagePostings[]): void {
  const kept: Masks = new Map()
  for (const found of postings) {
    const mask = masks.get(found.page)
    if (mask === undefined) continue
    const next = kept.get(found.page) ?? new Uint8Array(mask.length)
    let any = kept.has(found.page)
    for (let index = 0; index < found.count; index++) {
      const slot = found.words[index]! & SLOT_MASK
      if (mask[slot] === 1) {
        next[slot] = 1
        any = true
      }
    }
    if (any) kept.set(found.page, next)
  }
  masks.clear()
  for (const [page, mask] of kept) masks.set(page, mask)
}

/** What N and the average length of a filtered scope are made of. */
export function countMasked(masks: Masks, pages: ReadonlyMap<number, PageSlots>): { chunks: number; tokens: number } {
  let chunks = 0
  let tokens = 0
  for (const [page, mask] of masks) {
    const { lengths } = pages.get(page)!
    for (let slot = 0; slot < mask.length; slot++) {
      if (mask[slot] === 1) {
        chunks++
        tokens += lengths[slot]! - 1
      }
    }
  }
  return { chunks, tokens }
}
