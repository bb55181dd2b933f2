import { createHash } from 'node:crypto'

/** Characters that model providers take in a tool's name. */
const NAME_LIMIT = 64
const DIGITS = 8

/**
 * `<server>__<tool>` as models can call it: a-z, A-Z, 0-9, _ and -, at most 64 characters. What does not fit is told apart
 * by a hash of the whole, so that a tool has the same name in every turn, whatever else its server has.
 */
export function agentToolName(server: string, tool: string): string {
  const whole = `${server}__${tool}`
  const valid = whole.replaceAll(/[^\w-]/g, '_')
  if (valid === whole && whole.length <= NAME_LIMIT) return whole
  const hash = createHash('sha256').update(tool).digest('hex').slice(0, DIGITS)
  return `${valid.slice(0, NAME_LIMIT - DIGITS - 1)}_${hash}`
}
