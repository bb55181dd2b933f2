import type { ToolCall } from '@oncall-agent/api-contracts'

/** Tone of each end of a call; the word beside it says the same. */
export const tones = { ok: 'good', failed: 'bad', refused: 'warn', cancelled: 'plain' } as const satisfies Record<
  ToolCall['status'],
  string
>

/** Arguments as the audit keeps them, laid out for reading; what is no JSON (it was cut) is left as it is. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Who called: a name, or the id of somebody who is gone. */
export const callerOf = ({ username, userId }: ToolCall): string => username ?? userId
