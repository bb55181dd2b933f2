import type { TokenCounterModule } from './protocol.ts'

export type TokenCounter = (text: string) => number

/** Tokens a character, on the safe side: about 0.7 and 0.25 were measured for the bundled tokenizer. */
const tokensPerCjk = 1
const tokensPerOther = 0.35

/** The embedder's own counter, or an estimate that rather counts too many where there is none. */
export async function loadTokenCounter(module: TokenCounterModule | undefined): Promise<TokenCounter> {
  if (module === undefined) return estimateTokens
  const exports = (await import(module.moduleUrl)) as Record<string, unknown>
  const make = exports[module.exportName]
  if (typeof make !== 'function') throw new Error(`${module.moduleUrl} exports no function ${module.exportName}`)
  const counter: unknown = await make()
  if (typeof counter !== 'function') throw new Error(`${module.exportName} of ${module.moduleUrl} makes no counter`)
  return counter as TokenCounter
}

export function estimateTokens(text: string): number {
  const cjk = text.match(/[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/g)?.length ?? 0
  return Math.ceil(cjk * tokensPerCjk + (text.length - cjk) * tokensPerOther)
}
