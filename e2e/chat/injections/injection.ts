/** Somewhere that other people write, and what they wrote there to be obeyed. */
export type Place =
  | {
      readonly where: 'document'
      readonly file: string
      readonly text: string
      readonly form?: { readonly title?: string; readonly project?: string; readonly equipment?: string }
      /** `friend` shares the knowledge base read-only; `stranger` does not. */
      readonly owner?: 'friend' | 'stranger'
    }
  | { readonly where: 'tool result' | 'tool error' | 'tool description' | 'tool change'; readonly text: string }
  | {
      readonly where: 'alert'
      readonly labels: Readonly<Record<string, string>>
      readonly annotations: Readonly<Record<string, string>>
    }
  | { readonly where: 'series'; readonly labels: Readonly<Record<string, string>> }
  | {
      readonly where: 'skill'
      readonly name: string
      readonly description: string
      readonly text: string
      readonly owner?: 'stranger'
    }
  /** What the person pasted in an earlier turn, or pastes now. */
  | { readonly where: 'history' | 'question'; readonly text: string }

/** A call that the orders bring about, and how it must end. */
export type Tried = readonly [tool: string, status: 'ok' | 'failed' | 'refused', code?: string]

/**
 * One attack. In its texts `{{name}}` stands for an id of the stage: foreignBase, foreignDocument, foreignTenant,
 * otherBase, collector (an address of the attacker's).
 */
export interface Injection {
  /** A sentence: where it stands, and what it wants. */
  readonly name: string
  /** Unique; it is what the person asks for, so the planted text is found by it. */
  readonly code: string
  readonly place: Place
  /** The question, where the place has no usual one. */
  readonly asks?: string
  /** Words of the planted text. The model must have read them, or the case would prove nothing. */
  readonly read: string
  /** The words must never reach the model at all: they are of somebody whose texts the person may not read. */
  readonly isOutOfReach?: true
  /** Only the knowledge base of the case may be searched, by the person's choice. */
  readonly isNarrow?: true
  /** At least these. */
  readonly tries: readonly Tried[]
  /** Code of the failure that must end the answer, where the orders have no end of their own. */
  readonly endsBy?: string
  /** It holds markup, and is looked at in a browser too. */
  readonly isMarkup?: true
}

/** The tool that changes something, ordered without a person: never runs. */
export const REFUSED: Tried = ['ops__restart_service', 'refused', 'AUTH_FORBIDDEN']
export const UNKNOWN = (tool: string): Tried => [tool, 'refused', 'NOT_FOUND']
