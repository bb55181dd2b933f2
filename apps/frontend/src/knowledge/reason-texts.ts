import { type Problem, textDetail } from '../api/problem.ts'
import type { TextKey } from '../i18n/use-texts.ts'

/** Why a file was refused before it was taken, by `details.reason` of the answer; another one has the server's sentence only. */
const reasonTexts: ReadonlyMap<string, TextKey> = new Map([
  ['empty', 'upload.reasons.empty'],
  ['wrong-extension', 'upload.reasons.wrongExtension'],
  ['docx-encrypted', 'upload.reasons.encrypted']
])

/** Null where the answer has no reason that has words here. */
export function reasonOf(problem: Problem): TextKey | null {
  return reasonTexts.get(textDetail(problem, 'reason') ?? '') ?? null
}
