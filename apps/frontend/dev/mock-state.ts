import type {
  ApiKey,
  DocumentView,
  KnowledgeBaseView,
  McpServer,
  Models,
  Reader,
  RetrievalRun,
  SearchFeedback,
  SearchResponse,
  ToolCall,
  User
} from '@oncall-agent/api-contracts'
import { sampleCalls } from './sample-calls.ts'
import { sampleModels } from './sample-models.ts'
import { type MockChat, mockChat } from './mock-chat-state.ts'
import { bases, sampleDocument, users } from './samples.ts'
import { type MockPrompt, samplePrompts } from './sample-prompts.ts'
import { sampleServers } from './sample-servers.ts'
import { type MockTask, pastTasks } from './sample-tasks.ts'

/** Everything the mock remembers while it runs. */
export interface MockState {
  /** Null while nobody is signed in. */
  me: User | null
  hasAccount: boolean
  readonly users: User[]
  readonly bases: Map<string, KnowledgeBaseView>
  documents: Map<string, DocumentView>
  readonly tasks: MockTask[]
  readonly keys: ApiKey[]
  /** Another list is another server. */
  models: Models['models']
  readonly prompts: MockPrompt[]
  readonly servers: McpServer[]
  /** `<server id>/<tool>` of what is no longer what was allowed. */
  readonly changedTools: Set<string>
  /** Calls of tools, newest first. */
  readonly calls: ToolCall[]
  readonly readers: Map<string, Reader[]>
  readonly runs: Map<string, RetrievalRun>
  /** Searches, and what was said of their hits. */
  readonly searches: {
    readonly answers: Map<string, SearchResponse>
    readonly feedback: Map<string, SearchFeedback>
  }
  readonly chat: MockChat
  /** Routes that fail, for looking at failures. */
  readonly broken: Set<string>
  last: number
}

export type Scene = 'first' | 'out' | 'in'

/** The folder base holds as many documents as a page must stay smooth with. */
const MANY_DOCUMENTS = 10_000
const FEW_DOCUMENTS = 12

export function mockState(scene: Scene): MockState {
  const documents = [
    ...Array.from({ length: FEW_DOCUMENTS }, (_each, index) => sampleDocument('kb-own', index)),
    ...Array.from({ length: MANY_DOCUMENTS }, (_each, index) => sampleDocument('kb-folder', index))
  ]
  return {
    me: scene === 'in' ? users[0]! : null,
    hasAccount: scene !== 'first',
    users: [...users],
    bases: new Map(bases.map((base) => [base.id, base])),
    documents: new Map(documents.map((document) => [document.id, document])),
    tasks: pastTasks(documents.slice(0, FEW_DOCUMENTS)),
    keys: [],
    models: sampleModels,
    prompts: [...samplePrompts],
    servers: [...sampleServers],
    changedTools: new Set(['mcp-cls/SearchLog']),
    calls: [...sampleCalls],
    readers: new Map([['kb-own', [{ userId: 'u-2', username: 'li.na', grantedAt: Date.now() - 86_400_000 }]]]),
    runs: new Map(),
    searches: { answers: new Map(), feedback: new Map() },
    chat: mockChat(),
    broken: new Set(),
    last: 0
  }
}
