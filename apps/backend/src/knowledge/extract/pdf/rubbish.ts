import type { TextRun } from './read-page.ts'

/** Characters that no text has: controls, private use, unassigned, lost. A font without a usable map yields them. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const rubbish = /[\0-\u0008\u000B-\u001F\u007F-\u009F\uFFFD\p{Co}\p{Cn}]/gu
/** Share of rubbish from which nothing that a font drew is believed: its other characters are wrong as well. */
const mostFontRubbish = 0.1
/** Bullets and icons come from fonts of their own; losing this share of a page is not worth a word. */
const unremarkableLoss = 0.05

export interface CleanPage {
  readonly runs: readonly TextRun[]
  /** So much was dropped that a person should know. */
  readonly lossy: boolean
}

/** A page without the text of fonts that have no usable Unicode map, and without stray rubbish in the rest. */
export function dropRubbish(runs: readonly TextRun[]): CleanPage {
  const fonts = new Map<string, { characters: number; rubbish: number }>()
  let all = 0
  for (const run of runs) {
    const counts = fonts.get(run.font) ?? { characters: 0, rubbish: 0 }
    const characters = run.text.replace(/\s/g, '').length
    counts.characters += characters
    counts.rubbish += run.text.match(rubbish)?.length ?? 0
    all += characters
    fonts.set(run.font, counts)
  }
  const unusable = new Set<string>()
  let dropped = 0
  for (const [font, counts] of fonts) {
    if (counts.rubbish <= counts.characters * mostFontRubbish) continue
    unusable.add(font)
    dropped += counts.characters
  }
  const kept = runs.map((run) => ({ ...run, text: unusable.has(run.font) ? '' : run.text.replace(rubbish, '') }))
  return { runs: kept, lossy: dropped > all * unremarkableLoss }
}
