import { AppError } from '@oncall-agent/api-contracts'
import {
  compareEntriesWithFacts,
  compareFactsWithIndex,
  compareSearchEngine,
  type Finding,
  type IndexDifference,
  lackOfEntries,
  repairDifferences
} from '../knowledge/index.ts'
import { knowledgeSettings } from './knowledge-settings.ts'
import type { Parts } from './parts.ts'
import { openKnowledge } from './service.ts'

export interface Agreement {
  readonly finding: Finding
  /** What `repair` dealt with is told, too. */
  readonly differences: readonly IndexDifference[]
}

/** Two things that must say the same of every document. */
interface Comparison {
  readonly name: string
  readonly compare: (parts: Parts) => Promise<readonly IndexDifference[]>
}

const FACTS: Comparison = {
  name: 'facts and index',
  compare: async ({ store, index }) => compareFactsWithIndex(await store.get(), (await index.get()).writer)
}
const ENTRIES: Comparison = {
  name: 'index and entries',
  compare: async ({ store, index, settings }) =>
    compareEntriesWithFacts(await store.get(), await index.get(), knowledgeSettings(settings).entries)
}
const ENGINE: Comparison = {
  name: 'index and search engine',
  compare: async ({ store, index, searchEngine }) =>
    compareSearchEngine(await store.get(), { index: await index.get(), searchEngine: await searchEngine!.get() })
}

/**
 * Compares facts, index, entries and search engine, each with what it is made from, one behind the other: what a repair
 * removes or copies is not told again, and neither is a document.
 */
export async function agreementsOf(parts: Parts, repair: boolean): Promise<readonly Agreement[]> {
  const facts = await agreementOf(parts, repair, FACTS)
  const entries = (await unfilled(parts)) ?? (await agreementOf(parts, repair, ENTRIES, facts))
  if (parts.searchEngine === undefined) return [facts, entries]
  return [facts, entries, await agreementOf(parts, repair, ENGINE)]
}

/** An index of an earlier release is whole but for the entries; until it is made anew every structured search is 503. */
async function unfilled({ index }: Parts): Promise<Agreement | undefined> {
  const lack = await index
    .get()
    .then(lackOfEntries)
    // What keeps the index from being read is found by the comparison, too, and told there.
    .catch(() => undefined)
  if (lack === undefined) return undefined
  const found = 'not compared: an earlier release made the index, without entries of structured search'
  return { finding: { name: ENTRIES.name, ok: false, found, hint: lack.hint }, differences: [] }
}

async function agreementOf(
  parts: Parts,
  repair: boolean,
  { name, compare }: Comparison,
  before?: Agreement
): Promise<Agreement> {
  const finding = (ok: boolean, found: string, hint = ''): Finding => ({ name, ok, found, hint })
  try {
    const told = new Set(before?.differences.map(({ documentId }) => documentId))
    const differences = (await compare(parts)).filter(({ documentId }) => !told.has(documentId))
    if (differences.length === 0) return { finding: finding(true, 'agree'), differences }
    const counted = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`
    if (!repair) return { finding: finding(false, counted, hintFor(differences)), differences }
    const room = await openKnowledge(parts, () => undefined)
    const repaired = await repairDifferences(room.parts, differences).finally(() => room.close())
    const isWhole = differences.every((each) => each.repair !== 'index-folder')
    return { finding: finding(isWhole, `${repaired} of ${counted} repaired`, hintBehind(differences)), differences }
  } catch (thrown) {
    const hint = thrown instanceof AppError ? thrown.hint : ''
    const words = thrown instanceof Error ? thrown.message : String(thrown)
    return { finding: finding(false, words, hint || 'Mend what the other lines name first.'), differences: [] }
  }
}

const FOLDER_HINT = '`oncall index` of its folder makes the entry of a document that came from one.'

function hintFor(differences: readonly IndexDifference[]): string {
  const isForRepair = differences.some(({ repair }) => repair !== 'index-folder')
  const hints = isForRepair ? ['oncall doctor --repair brings each to what it is made from.'] : []
  return [...hints, ...folderHint(differences)].join(' ')
}

function hintBehind(differences: readonly IndexDifference[]): string {
  const isEnqueued = differences.some(({ repair }) => repair === 'index-again' || repair === 'purge-again')
  const hints = isEnqueued
    ? ['What has to be indexed again, or to be taken away, is enqueued; a running server or oncall worker does it.']
    : []
  return [...hints, ...folderHint(differences)].join(' ')
}

function folderHint(differences: readonly IndexDifference[]): readonly string[] {
  return differences.some(({ repair }) => repair === 'index-folder') ? [FOLDER_HINT] : []
}
