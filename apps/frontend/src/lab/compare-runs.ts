import { hasRun, type LabHit, type LabRun, type StageName } from './lab-run.ts'

/** One chunk in two runs; null where a run did not choose it. */
export interface ComparedHit {
  readonly hit: LabHit
  readonly first: LabHit | null
  readonly second: LabHit | null
  /** Places it rose (above 0) or fell; null when only one run chose it. */
  readonly rose: number | null
}

/** The evidence of two runs as one list: in the second's order, then what only the first chose. */
export function compareHits(first: LabRun, second: LabRun): readonly ComparedHit[] {
  const before = new Map(first.hits.map((hit) => [hit.chunkId, hit]))
  const after = new Set(second.hits.map(({ chunkId }) => chunkId))
  const kept = second.hits.map((hit): ComparedHit => {
    const was = before.get(hit.chunkId) ?? null
    const rose = was?.rerankRank == null || hit.rerankRank === null ? null : was.rerankRank - hit.rerankRank
    return { hit, first: was, second: hit, rose }
  })
  const gone = first.hits.filter(({ chunkId }) => !after.has(chunkId))
  return [...kept, ...gone.map((hit): ComparedHit => ({ hit, first: hit, second: null, rose: null }))]
}

export interface ComparedStage {
  readonly name: StageName
  /** Milliseconds; null when the stage did not run. */
  readonly first: number | null
  readonly second: number | null
}

export function compareStages(first: LabRun, second: LabRun): readonly ComparedStage[] {
  const names = new Set([...first.stages, ...second.stages].map(({ name }) => name))
  return [...names].map((name) => ({ name, first: took(first, name), second: took(second, name) }))
}

function took(run: LabRun, name: StageName): number | null {
  return run.stages.find((stage) => stage.name === name && hasRun(stage))?.tookMs ?? null
}
