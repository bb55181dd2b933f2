import type { EvidenceAnswer } from '@oncall-agent/retrieval'
import type { Finding, ForgetReport, IndexProgress, IndexReport } from '../knowledge/index.ts'
import type { RunRecord } from '../search/index.ts'

/** What the command line drives; made by compose.ts, so that no command names an engine or a model. */
export interface Application {
  readonly dataDirectory: string
  indexFolder(request: IndexRequest, watch: IndexWatch): Promise<IndexReport>
  /** Removes what was indexed from paths that may be gone. */
  forget(request: IndexRequest): Promise<ForgetReport>
  /** Asks as the local tenant; `knowledgeBases` are names. */
  retrieve(request: RetrieveRequest, signal: AbortSignal): Promise<EvidenceAnswer>
  /** The stored record of a run; undefined when there is none. */
  run(runId: string): Promise<RunRecord | undefined>
  doctor(request: { readonly models: boolean }): Promise<DoctorReport>
  /** Serves until the signal is aborted; `onListening` is told the address. */
  serve(signal: AbortSignal, onListening: (address: string) => void): Promise<void>
  /** The effective settings, secrets hidden. */
  describeSettings(): unknown
  close(): Promise<void>
}

export interface IndexRequest {
  readonly paths: readonly string[]
  readonly knowledgeBase: string
}

export interface IndexWatch {
  readonly signal: AbortSignal
  readonly onProgress: (progress: IndexProgress) => void
}

export interface RetrieveRequest {
  readonly query: string
  readonly topK?: number
  readonly knowledgeBases: readonly string[]
  readonly documentIds: readonly string[]
  readonly metadata: Readonly<Record<string, string | number | boolean>>
}

export interface DoctorReport {
  readonly healthy: boolean
  readonly checks: readonly Finding[]
}
