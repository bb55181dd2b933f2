import { checkStructuredRequest, DEFAULT_STRUCTURED_SETTINGS, searchStructured } from '@oncall-agent/retrieval'
import type { StructuredAnswer, StructuredHit, StructuredIndex, StructuredQuestion } from '@oncall-agent/retrieval'
import type { StructuredSettings } from '@oncall-agent/retrieval'
import { vectorOfWords } from './collection.ts'
import type { SearchCase } from './search-case.ts'

export interface Asked {
  readonly question: StructuredQuestion
  readonly settings: StructuredSettings
}

/** A search as the ladder takes it. @throws TypeError for one that would be refused before any engine is asked */
export function read({ request, pairs, settings }: SearchCase, knowledgeTypes: readonly string[]): Asked {
  const all = { ...DEFAULT_STRUCTURED_SETTINGS, ...settings }
  const bounds = { pairs, knowledgeTypes, maxResultWindow: all.maxResultWindow }
  const { question, fault } = checkStructuredRequest(request, bounds)
  if (fault !== undefined) throw new TypeError(`${fault.field}: ${fault.reason}`)
  return { question, settings: all }
}

const embed = async (text: string): Promise<Float32Array> => vectorOfWords(text)

/** One run of the ladder over an engine. */
export function ask(index: StructuredIndex, { question, settings }: Asked): Promise<StructuredAnswer> {
  return searchStructured(question, { index, settings, embed, now: () => 0 })
}

/** The page that was asked for, and every hit there is, from the first. */
export interface Reference {
  readonly expected: StructuredAnswer
  readonly all: readonly StructuredHit[]
}

/** What an oracle answers: it ranks everything whatever the page, so one look at all of it gives both. */
export async function refer(oracle: StructuredIndex, asked: Asked): Promise<Reference> {
  const { question, settings } = asked
  const { from, size } = question
  const everything = await ask(oracle, { question: { ...question, from: 0, size: settings.maxResultWindow }, settings })
  // By meaning as many are found as the page reaches.
  const answer =
    everything.status === 'vector_only'
      ? await ask(oracle, { question: { ...question, from: 0, size: from + size }, settings })
      : everything
  return { expected: { ...answer, hits: answer.hits.slice(from, from + size) }, all: answer.hits }
}
