import { AppError, type ErrorCode } from '@oncall-agent/api-contracts'

/** What a run did. `failed` is not empty: some documents are missing, or are still served as they were before. */
export interface IndexReport {
  readonly indexed: number
  readonly replaced: number
  readonly unchanged: number
  readonly removed: number
  readonly failed: readonly FileProblem[]
  /** Files in the folders whose type is not supported, the first thousand by name. */
  readonly skipped: readonly FileProblem[]
  readonly skippedTotal: number
  readonly warnings: readonly FileWarning[]
  /** Chunks embedded and published. */
  readonly chunks: number
  readonly tookMs: number
}

export interface FileProblem {
  readonly path: string
  readonly code: ErrorCode
  readonly message: string
}

export interface FileWarning {
  readonly path: string
  readonly message: string
}

/** Where a run is. Phases: scanning -> indexing -> removing -> copying (to a search engine outside) -> done; numbers only grow. */
export interface IndexProgress {
  readonly phase: 'scanning' | 'indexing' | 'removing' | 'copying' | 'done'
  /** Documents that are dealt with: published, unchanged or failed. */
  readonly filesDone: number
  /** Known when scanning has ended. */
  readonly filesTotal?: number
  readonly chunksEmbedded: number
  /** The document that was just begun. */
  readonly path?: string
}

/** Names beyond this are counted only: a folder of pictures must not fill the memory. */
const maxSkippedNames = 1_000

/** Counts what a run does and tells whoever watches. */
export class RunReport {
  #indexed = 0
  #replaced = 0
  #unchanged = 0
  #removed = 0
  #chunks = 0
  #embedded = 0
  #skippedTotal = 0
  readonly #failed: FileProblem[] = []
  readonly #skipped: FileProblem[] = []
  readonly #warnings: FileWarning[] = []
  readonly #startedAt: number
  readonly #clock: () => number
  readonly #watch: (progress: IndexProgress) => void
  #phase: IndexProgress['phase'] = 'scanning'
  #filesTotal: number | undefined

  constructor(clock: () => number, watch: (progress: IndexProgress) => void = () => undefined) {
    this.#clock = clock
    this.#watch = watch
    this.#startedAt = clock()
  }

  enter(phase: IndexProgress['phase']): void {
    this.#phase = phase
    this.#tell()
  }

  expect(files: number): void {
    this.#filesTotal = files
  }

  begin(path: string): void {
    this.#tell(path)
  }

  published(how: 'indexed' | 'replaced', chunks: number): void {
    if (how === 'indexed') this.#indexed++
    else this.#replaced++
    this.#chunks += chunks
    this.#tell()
  }

  unchanged(): void {
    this.#unchanged++
    this.#tell()
  }

  removed(): void {
    this.#removed++
  }

  embedded(chunks: number): void {
    this.#embedded += chunks
    this.#tell()
  }

  warn(path: string, messages: readonly string[]): void {
    for (const message of messages) this.#warnings.push({ path, message })
  }

  fail(path: string, error: AppError): void {
    this.#failed.push(problem(path, error))
    this.#tell()
  }

  skip(path: string, error: AppError): void {
    this.#skippedTotal++
    if (this.#skipped.length < maxSkippedNames) this.#skipped.push(problem(path, error))
  }

  finish(): IndexReport {
    this.enter('done')
    return {
      indexed: this.#indexed,
      replaced: this.#replaced,
      unchanged: this.#unchanged,
      removed: this.#removed,
      failed: byPath(this.#failed),
      skipped: this.#skipped,
      skippedTotal: this.#skippedTotal,
      warnings: byPath(this.#warnings),
      chunks: this.#chunks,
      tookMs: Math.round(this.#clock() - this.#startedAt)
    }
  }

  #tell(path?: string): void {
    this.#watch({
      phase: this.#phase,
      filesDone: this.#indexed + this.#replaced + this.#unchanged + this.#failed.length,
      ...(this.#filesTotal === undefined ? {} : { filesTotal: this.#filesTotal }),
      chunksEmbedded: this.#embedded,
      ...(path === undefined ? {} : { path })
    })
  }
}

/** Documents are dealt with several at a time; a person looks for them by name. */
function byPath<Entry extends { readonly path: string }>(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function problem(path: string, error: AppError): FileProblem {
  return { path, code: error.code, message: error.message }
}
