import type { ToolPermission } from '@oncall-agent/api-contracts'
import type { Citation } from '@oncall-agent/retrieval'

/** One tool that the agent has in one turn, made for that turn and bound to its caller. */
export interface AgentTool {
  /** As the model calls it; unique within a turn: a-z, A-Z, 0-9, _ and -, at most 64. */
  readonly name: string
  /** For the model: what it finds, when to call it. */
  readonly description: string
  /** JSON Schema of an object. Arguments are checked against it before `call`. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly permission: ToolPermission
  /** The MCP server that has it; absent for the product's own. */
  readonly serverId?: string
  /** What the model is told besides when a call failed: what it must not conclude from that. */
  readonly failureNote?: string
  /** @throws AppError, whose message the model may read; the signal's reason */
  call(input: unknown, context: ToolContext): Promise<ToolResult>
}

export interface ToolContext {
  readonly callId: string
  /** Aborted when a person stops the answer, and at every limit. */
  readonly signal: AbortSignal
  /**
   * Makes pieces of evidence sources of the answer, in their order, and gives the markers by which the model may cite
   * them. A chunk that is a source already keeps its marker.
   */
  cite(citations: readonly Citation[], runId: string | null): readonly number[]
}

export interface ToolResult {
  /** What the model reads; whole, the turn shortens it to what fits and offers a way to read on. */
  readonly text: string
  /** How many pieces of evidence a search of the knowledge base found; only such a search has it. */
  readonly found?: number
  /** Where the text is the page of an earlier result of this turn: which, and from which character on. */
  readonly page?: { readonly result: string; readonly offset: number }
}
