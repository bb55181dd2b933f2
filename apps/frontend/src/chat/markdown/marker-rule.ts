import type { Env, RendererRule, StateInline } from 'markdown-it'

/** Which markers belong to a source; others stay text. */
export interface MarkerEnv extends Env {
  readonly markers: ReadonlySet<number>
}

/** `[n]`, also before another one; not the text of a link, which `(https:…)` behind it makes it. */
const MARKER = /\[(\d{1,4})\](?!\((?:https?:|mailto:|<))/y

/** Reads a marker where links are read: in running text, never in code and never inside a link. */
export function markerRule(state: StateInline, silent: boolean): boolean {
  if (state.src.codePointAt(state.pos) !== 0x5b || state.linkLevel > 0) return false
  MARKER.lastIndex = state.pos
  const [whole, digits] = MARKER.exec(state.src) ?? []
  if (whole === undefined || !(state.env as MarkerEnv).markers.has(Number(digits))) return false
  if (!silent) state.push('marker', '', 0).content = String(Number(digits))
  state.pos += whole.length
  return true
}

export const renderMarker: RendererRule = (tokens, index) =>
  `<span data-marker="${tokens[index]!.content}">[${tokens[index]!.content}]</span>`
