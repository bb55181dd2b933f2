/**
 * A numbered row of slots: the chunks of a knowledge base, or its entries, one slot each. Both kinds draw their numbers from
 * one sequence, so a number alone says whose a page, a run, a posting or an int8 row is. Totals add up over spaces of a kind,
 * so any union of them has its statistics at once.
 */
export interface SlotSpace {
  readonly id: number
  readonly kind: 'chunks' | 'entries'
  /** Live slots. */
  readonly chunks: number
  /** Tokens of all live slots; of entries those of their bodies. */
  readonly tokens: number
  /** First slot that was never used; the page it lies in is the open one. */
  readonly nextSlot: number
  readonly generation: number
}

/** A row whose columns have the names of the fields. */
export function spaceOf(row: Record<string, unknown>, kind: SlotSpace['kind']): SlotSpace {
  return {
    id: Number(row.id),
    kind,
    chunks: Number(row.chunks),
    tokens: Number(row.tokens),
    nextSlot: Number(row.nextSlot),
    generation: Number(row.generation)
  }
}
