import { PortError } from '../../ports/index.ts'
import type { StructuredCapabilities, StructuredEntry, StructuredIndex } from '../../ports/index.ts'
import { checkStructuredRequest, DEFAULT_STRUCTURED_SETTINGS, searchStructured } from '../../structured/index.ts'
import type { StructuredAnswer, StructuredRequest, StructuredSettings } from '../../structured/index.ts'
import { registerCases } from '../test-api.ts'
import type { ConformanceCase, Expect, Skips, TestApi } from '../test-api.ts'
import { vectorOfText } from '../test-data.ts'
import { home } from './structured-data.ts'

/** Abilities that an engine may lack; the cases that need one are then skipped by name. */
export type DeclaredAbilities = Pick<StructuredCapabilities, 'exactNearest' | 'statistics' | 'atomicReplacement'>

export interface StructuredSuiteOptions {
  /** What the engine declares; every ability unless said otherwise. A case proves that the engine declares the same. */
  readonly abilities?: Partial<DeclaredAbilities>
  /** Random collections in the comparison with brute force; default 20. Fewer for an engine behind a network. */
  readonly rounds?: number
  readonly skips?: Skips
}

export interface StructuredContext {
  readonly index: StructuredIndex
  readonly expect: Expect
  readonly rounds: number
  readonly abilities: DeclaredAbilities
}

export type StructuredCase = ConformanceCase<StructuredContext>

export type Cases = Readonly<Record<string, StructuredCase>>

/** Cases by what they need. */
export interface CasesByNeed {
  readonly always: Cases
  readonly scopeStatistics: Cases
  readonly exactNearest: Cases
  readonly atomicReplacement: Cases
}

const DEFAULT_ROUNDS = 20
const ALL_ABILITIES: DeclaredAbilities = { exactNearest: true, statistics: 'scope', atomicReplacement: true }

/** Runs each case on an empty index of its own, which is closed behind it whatever happens. */
export function structuredSuite(
  test: TestApi,
  cases: CasesByNeed,
  create: () => Promise<StructuredIndex>,
  options: StructuredSuiteOptions
): void {
  const { rounds = DEFAULT_ROUNDS } = options
  const abilities = { ...ALL_ABILITIES, ...options.abilities }
  const run = async (body: StructuredCase): Promise<void> => {
    const index = await create()
    try {
      await body({ index, expect: test.expect, rounds, abilities })
    } finally {
      await index.close()
    }
  }
  const all = { ...cases.always, ...cases.scopeStatistics, ...cases.exactNearest, ...cases.atomicReplacement }
  registerCases(test, all, run, { ...lackingAbilities(cases, abilities), ...options.skips })
}

function lackingAbilities(cases: CasesByNeed, abilities: DeclaredAbilities): Skips {
  return {
    ...skipsOf(abilities.statistics === 'engine', cases.scopeStatistics, 'its statistics are engine-wide'),
    ...skipsOf(!abilities.exactNearest, cases.exactNearest, 'its nearest are approximate'),
    ...skipsOf(!abilities.atomicReplacement, cases.atomicReplacement, 'its replacement across types is not atomic')
  }
}

function skipsOf(isLacking: boolean, cases: Cases, reason: string): Skips {
  return isLacking ? Object.fromEntries(Object.keys(cases).map((name) => [name, reason])) : {}
}

export async function writeAll(index: StructuredIndex, entries: readonly StructuredEntry[]): Promise<void> {
  for (const entry of entries) await index.replaceDocument(entry)
}

/** The entries as a rebuild takes them; throws the error behind the last. */
export async function* streamOf(entries: readonly StructuredEntry[], error?: Error): AsyncGenerator<StructuredEntry> {
  yield* entries
  if (error !== undefined) throw error
}

/** Asks the ladder on an index, with the default settings; a text's vector is a direction of its own. */
export async function ask(
  index: StructuredIndex,
  request: StructuredRequest,
  rest: { readonly pairs?: readonly (typeof home)[]; readonly settings?: Partial<StructuredSettings> } = {}
): Promise<StructuredAnswer> {
  const settings = { ...DEFAULT_STRUCTURED_SETTINGS, ...rest.settings }
  const { knowledgeTypes, dimension } = index.capabilities
  const { maxResultWindow } = settings
  const { question, fault } = checkStructuredRequest(request, {
    pairs: rest.pairs ?? [home],
    knowledgeTypes,
    maxResultWindow
  })
  if (fault !== undefined) {
    const { field, reason } = fault
    throw new PortError('invalid-argument', { operation: 'check request', subject: field, reason })
  }
  const embed = async (text: string): Promise<Float32Array> => vectorOfText(text, dimension)
  return searchStructured(question, { index, settings, embed, now: () => 0 })
}
