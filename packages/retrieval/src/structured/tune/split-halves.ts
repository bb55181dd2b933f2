/** The first half is tuned on, the other only measured: what fits the first by chance does not help there. */
export interface Halves<Item> {
  readonly tuned: readonly Item[]
  readonly heldOut: readonly Item[]
}

/** Splits by a hash of the id, so that a search stays in its half whatever is judged later. Halves are about equal. */
export function splitHalves<Item extends { readonly id: string }>(items: readonly Item[]): Halves<Item> {
  return {
    tuned: items.filter((item) => (hashOf(item.id) & 1) === 0),
    heldOut: items.filter((item) => (hashOf(item.id) & 1) === 1)
  }
}

/** FNV-1a over UTF-16 units, then the 32-bit finaliser of MurmurHash3: the last bit alone must look like a coin. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
