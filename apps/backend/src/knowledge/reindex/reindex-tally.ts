import type { AppError } from '@oncall-agent/api-contracts'
import type { FileProblem, FileWarning } from '../run-report.ts'
import type { Origin } from './rebuilt.ts'
import type { Target } from './targets.ts'

/** What a rebuild did. `failed` is not empty: the new index lacks documents that the old one lacked, too. */
export interface ReindexReport {
  /** In the new index. */
  readonly documents: number
  readonly chunks: number
  /** Read from their files. */
  readonly fromFiles: number
  /** Their files are gone, or can not be read any more: taken from the old index, embedded anew. */
  readonly fromOldIndex: number
  /** Of both: done by an earlier run that did not come to its end. */
  readonly alreadyDone: number
  /** In the old index, and in no fact: deleted documents, and such as nobody knows. */
  readonly leftOut: number
  readonly failed: readonly FileProblem[]
  /** Why a document was taken from the old index, and what could not be read of others. */
  readonly warnings: readonly FileWarning[]
  readonly tookMs: number
}

/** Phases: planning -> rebuilding -> checking -> rebuilding (what changed meanwhile) … -> replacing -> done. */
export interface ReindexProgress {
  readonly phase: 'planning' | 'rebuilding' | 'checking' | 'replacing' | 'done'
  readonly documentsDone: number
  readonly documentsTotal: number
  readonly chunksEmbedded: number
  /** The document that was just begun. */
  readonly source?: string
}

interface Outcome {
  readonly origin: Origin | undefined
  readonly alreadyDone: boolean
  readonly problem?: FileProblem
  readonly warnings: readonly FileWarning[]
}

/** Counts by document, because one that changes meanwhile is done twice. */
export class ReindexTally {
  readonly #outcomes = new Map<string, Outcome>()
  readonly #watch: (progress: ReindexProgress) => void
  readonly #started = performance.now()
  #phase: ReindexProgress['phase'] = 'planning'
  #total = 0
  #embedded = 0
  #source: string | undefined

  constructor(watch: (progress: ReindexProgress) => void = () => {}) {
    this.#watch = watch
  }

  get isDone(): boolean {
    return this.#phase === 'done'
  }

  enter(phase: ReindexProgress['phase']): void {
    this.#phase = phase
    this.#source = undefined
    this.#tell()
  }

  expect(total: number): void {
    this.#total = total
    this.#tell()
  }

  begin(source: string): void {
    this.#source = source
    this.#tell()
  }

  embedded(chunks: number): void {
    this.#embedded += chunks
    this.#tell()
  }

  done(
    { documentId, source }: Target,
    origin: Origin,
    about: { alreadyDone: boolean; warnings: readonly string[] }
  ): void {
    const warnings = about.warnings.map((message) => ({ path: source, message }))
    this.#settle(documentId, { origin, alreadyDone: about.alreadyDone, warnings })
  }

  failed({ documentId, source }: Target, { code, message }: AppError): void {
    const problem = { path: source, code, message }
    this.#settle(documentId, { origin: undefined, alreadyDone: false, problem, warnings: [] })
  }

  /** It is in the new index no more. */
  forget(documentId: string): void {
    this.#outcomes.delete(documentId)
  }

  report(size: { readonly documents: number; readonly chunks: number }, leftOut: number): ReindexReport {
    const outcomes = [...this.#outcomes.values()]
    const count = (matches: (outcome: Outcome) => boolean): number => outcomes.filter(matches).length
    this.enter('done')
    return {
      documents: size.documents,
      chunks: size.chunks,
      fromFiles: count(({ origin }) => origin === 'file'),
      fromOldIndex: count(({ origin }) => origin === 'old index'),
      alreadyDone: count(({ alreadyDone }) => alreadyDone),
      leftOut,
      failed: outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
      warnings: outcomes.flatMap(({ warnings }) => warnings),
      tookMs: Math.round(performance.now() - this.#started)
    }
  }

  #settle(documentId: string, outcome: Outcome): void {
    this.#outcomes.set(documentId, outcome)
    this.#tell()
  }

  #tell(): void {
    this.#watch({
      phase: this.#phase,
      documentsDone: this.#outcomes.size,
      documentsTotal: Math.max(this.#total, this.#outcomes.size),
      chunksEmbedded: this.#embedded,
      ...(this.#source === undefined ? {} : { source: this.#source })
    })
  }
}
