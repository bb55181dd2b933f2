import type { NewUser, SearchResponse, User, UserChange } from '@oncall-agent/api-contracts'
import type { EvidenceAnswer, TuneReport } from '@oncall-agent/retrieval'
import type { Answer, TurnEvent } from '../agent/index.ts'
import type { WrittenSettings } from '../config/index.ts'
import type {
  FillProgress,
  FillReport,
  FillWatch,
  Finding,
  ForgetReport,
  IndexDifference,
  IndexProgress,
  IndexReport,
  ReindexProgress,
  ReindexReport
} from '../knowledge/index.ts'
import type { RunRecord } from '../search/index.ts'
import type { McpStreams } from '../mcp/index.ts'
import type { BackupReport, RestoreReport } from '../store/index.ts'

/** What the command line drives; made by compose.ts, so that no command names an engine or a model. */
export interface Application {
  readonly dataDirectory: string
  indexFolder(request: IndexRequest, watch: IndexWatch): Promise<IndexReport>
  /** Removes what was indexed from paths that may be gone. */
  forget(request: IndexRequest): Promise<ForgetReport>
  /** Makes the index anew from the facts, with the configured embedder. */
  reindex(request: ReindexRequest, watch: ReindexWatch): Promise<RebuildReport>
  /** Fills the search engine from the index as it is. */
  fillSearchEngine(watch: FillWatch): Promise<FillReport>
  /** Asks as the local tenant; `knowledgeBases` are names. */
  retrieve(request: RetrieveRequest, signal: AbortSignal): Promise<EvidenceAnswer>
  /** Answers one question as the local tenant; no conversation is kept of it. */
  ask(command: AskCommand, watch: AskWatch): Promise<Answer>
  /** Searches documents as the local tenant. */
  search(command: SearchCommand, signal: AbortSignal): Promise<SearchResponse>
  /** Replays judged searches over other settings; writes what is better when it is asked to. */
  tune(request: TuneRequest, watch: TuneWatch): Promise<TuneCommandReport>
  /** The stored record of a run; undefined when there is none. */
  run(runId: string): Promise<RunRecord | undefined>
  doctor(request: DoctorRequest): Promise<DoctorReport>
  /** Serves until the signal is aborted; `onListening` is told the address. */
  serve(signal: AbortSignal, onListening: (address: string) => void): Promise<void>
  /** Works on background jobs until the signal is aborted. */
  work(signal: AbortSignal, onReady: () => void): Promise<void>
  /** Offers what is indexed here to one MCP client, until it ends or the signal is aborted. */
  serveMcp(streams: McpStreams, signal: AbortSignal): Promise<void>
  backUp(file: string, signal: AbortSignal): Promise<BackupReport>
  restore(file: string, signal: AbortSignal): Promise<RestoreReport>
  /** The accounts that it is about. */
  users(request: UserRequest): Promise<readonly User[]>
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

export interface ReindexRequest {
  /** Share of the time that may go into embedding, percent; 100 when absent. */
  readonly throttle?: number
}

export interface ReindexWatch {
  readonly signal: AbortSignal
  readonly onProgress: (progress: ReindexProgress | FillProgress) => void
}

export interface RebuildReport extends ReindexReport {
  /** Absent where structured search looks in the index itself. */
  readonly searchEngine?: FillReport
}

export interface AskCommand {
  readonly question: string
  /** By name; none means all. */
  readonly knowledgeBases: readonly string[]
  /** Of fixed sentences in the answer. */
  readonly language: 'zh' | 'en'
}

export interface AskWatch {
  readonly signal: AbortSignal
  readonly onEvent: (event: TurnEvent) => void
}

export interface RetrieveRequest {
  readonly query: string
  readonly topK?: number
  readonly knowledgeBases: readonly string[]
  readonly documentIds: readonly string[]
  readonly metadata: Readonly<Record<string, string | number | boolean>>
}

export interface SearchCommand {
  /** By the names of the contract; checked by the search itself. */
  readonly request: unknown
  /** Names. */
  readonly knowledgeBases: readonly string[]
  /** Of the banner. */
  readonly language: 'zh' | 'en'
}

export interface TuneRequest {
  readonly apply: boolean
}

export interface TuneWatch {
  readonly signal: AbortSignal
  /** Judged searches. */
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void
}

export interface TuneCommandReport extends Pick<TuneReport, 'searches' | 'current' | 'suggested' | 'heldOut'> {
  /** Searches on record that somebody judged. */
  readonly judged: number
  /** Of these, such as tell nothing of settings: no document helped; or words do not find one that did any more. */
  readonly leftOut: { readonly nothing_helped: number; readonly not_found_now: number }
  /** How much more nDCG@10 the held-out half has with the suggested settings, and the standard error of that. */
  readonly gain: { readonly mean: number; readonly standardError: number }
  /** Searches that each half needs before a difference means something. */
  readonly leastInHalf: number
  /** `by_chance`: better where it was chosen, and on the held-out half not by more than chance makes. */
  readonly verdict: 'too_few' | 'as_good_as_any' | 'by_chance' | 'better'
  /** Null when nothing was written. */
  readonly applied: WrittenSettings | null
}

export interface DoctorRequest {
  /** Also load the models and try them. */
  readonly models: boolean
  /** Also bring the index to what the facts say. */
  readonly repair: boolean
}

export type UserRequest =
  | { readonly action: 'list' }
  | ({ readonly action: 'add' } & NewUser)
  /** `person` is an id or a user name. */
  | { readonly action: 'change'; readonly person: string; readonly change: UserChange }

export interface DoctorReport {
  readonly healthy: boolean
  readonly checks: readonly Finding[]
  /** Where facts and index disagreed; what `repair` dealt with is told, too. */
  readonly differences: readonly IndexDifference[]
}
