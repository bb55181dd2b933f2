import { randomBytes } from 'node:crypto'

/** Seconds are enough beside the random part; the time is for people who look at a list of indices. */
const STAMP = /^\d{14}_[\da-f]{8}$/
const FILLING = '_filling'

/** The alias that stands for all of a type, whatever index is behind it today. */
export function aliasOf(knowledgeType: string): string {
  return `kb_${encoded(knowledgeType)}_v1`
}

/** A new index for an alias; no two are the same. */
export function newIndexName(alias: string, now: Date): string {
  const stamp = now.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return `${alias}_${stamp}_${randomBytes(4).toString('hex')}`
}

/** True iff the index was made for the alias by a rebuild; nothing else is ever deleted. */
export function isIndexFor(alias: string, index: string): boolean {
  return index.startsWith(`${alias}_`) && STAMP.test(index.slice(alias.length + 1))
}

/**
 * The name by which a rebuild fills an index. Writes name aliases only, never an index: a server that makes missing indices
 * by itself would else make one without a mapping.
 */
export function fillingAliasOf(index: string): string {
  return `${index}${FILLING}`
}

export function isFillingAlias(alias: string): boolean {
  return alias.endsWith(FILLING)
}

/** Names of a path's first part. */
export function pathOf(names: readonly string[], action = ''): string {
  return `/${names.map(encodeURIComponent).join(',')}${action}`
}

/** Names of indices are of few characters and one case; every other byte becomes `=` and its number, so that no two types meet. */
function encoded(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte)
    return /[a-z\d_-]/.test(character) ? character : `=${byte.toString(16).padStart(2, '0')}`
  })
  return bytes.join('')
}
