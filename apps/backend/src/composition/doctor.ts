import type { DoctorReport, DoctorRequest } from '../cli/index.ts'
import { examine, type Finding } from '../knowledge/index.ts'
import { agreementsOf } from './agreements.ts'
import { expectData } from './data-folder.ts'
import type { Parts } from './parts.ts'

/** Looks at every part; with `repair` brings the index to what the facts say, and a search engine to what the index holds. */
export async function doctor(parts: Parts, { models, repair }: DoctorRequest): Promise<DoctorReport> {
  expectData(parts)
  const examined = await examine({ models }, { ...parts, facts: parts.store.get, index: parts.index.get })
  const agreements = await agreementsOf(parts, repair)
  const checks = [...examined.map((check) => aboutModels(parts, check)), ...agreements.map(({ finding }) => finding)]
  const differences = agreements.flatMap((each) => each.differences)
  return { healthy: checks.every((check) => check.ok), checks, differences }
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
