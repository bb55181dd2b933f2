import { AppError } from '@oncall-agent/api-contracts'
import type { DoctorReport, DoctorRequest } from '../cli/index.ts'
import {
  compareFactsWithIndex,
  examine,
  type Finding,
  type IndexDifference,
  repairDifferences
} from '../knowledge/index.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'
import { openKnowledge } from './service.ts'

/** Looks at every part; with `repair` brings the index to what the facts say. */
export async function doctor(parts: Parts, { models, repair }: DoctorRequest): Promise<DoctorReport> {
  expectData(parts)
  const examined = await examine({ models }, { ...parts, facts: parts.store.get, index: parts.index.get })
  const { finding, differences } = await agreement(parts, repair)
  const checks = [...examined.map((check) => aboutModels(parts, check)), finding]
  return { healthy: checks.every((check) => check.ok), checks, differences }
}

interface Agreement {
  readonly finding: Finding
  readonly differences: readonly IndexDifference[]
}

const AGREEMENT = 'facts and index'

async function agreement(parts: Parts, repair: boolean): Promise<Agreement> {
  try {
    const store = await parts.store.get()
    const { writer } = await parts.index.get()
    const differences = await compareFactsWithIndex(store, writer)
    if (differences.length === 0) return { finding: fine('agree'), differences }
    const counted = `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`
    if (!repair) return { finding: fault(counted, REPAIR_HINT), differences }
    const room = await openKnowledge(parts, () => undefined)
    const repaired = await repairDifferences(room.parts, differences).finally(() => room.close())
    return { finding: { ...fine(`${repaired} of ${counted} repaired`), hint: repairedHint(differences) }, differences }
  } catch (thrown) {
    const hint = thrown instanceof AppError ? thrown.hint : ''
    const told = thrown instanceof Error ? thrown.message : String(thrown)
    return { finding: fault(told, hint || 'Mend what the other lines name first.'), differences: [] }
  }
}

const REPAIR_HINT = 'oncall doctor --repair brings the index to what the facts say.'

function repairedHint(differences: readonly IndexDifference[]): string {
  if (differences.every(({ repair }) => repair === 'remove-from-index')) return ''
  return 'What has to be indexed again is enqueued; a running server or oncall worker does it.'
}

function fine(found: string): Finding {
  return { name: AGREEMENT, ok: true, found, hint: '' }
}

function fault(found: string, hint: string): Finding {
  return { name: AGREEMENT, ok: false, found, hint }
}

const SETTINGS_HINT: Readonly<Record<string, string>> = {
  embedder: 'Check the settings embedding.baseUrl, embedding.model, embedding.apiKey and embedding.dimension.',
  reranker: 'Check the settings rerank.baseUrl, rerank.model and rerank.apiKey.'
}

/** The weights of a bundled model are files; what is wrong with a remote one is most often a setting. */
function aboutModels({ settings }: Parts, check: Finding): Finding {
  const remote = { embedder: settings.embedding.provider, reranker: settings.rerank.provider }
  const provider = Object.entries(remote).find(([name]) => name === check.name)?.[1]
  if (check.ok || provider === undefined || provider === 'bundled') return check
  return { ...check, hint: SETTINGS_HINT[check.name]! }
}
