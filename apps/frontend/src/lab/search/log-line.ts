/** Characters from which a pasted text with spaces in it is a sentence, not a list of keywords. */
const SENTENCE_LENGTH = 60
const SENTENCE_WORDS = 6
/** Fewer words after a level ("ERROR E1042") are keywords. */
const LEVEL_WORDS = 4
const DATE = /^\W*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}:\d{2}:\d{2}|[A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2})/u
const LEVEL = /^\W*(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRIT(?:ICAL)?|FATAL|PANIC)\b/u

/**
 * Whether pasted text is a line of a log or a whole sentence: as keywords, each of its words would have to match, so
 * nothing would. It only decides where the text is put; the person sees that and can put it back.
 */
export function isLogLine(pasted: string): boolean {
  const text = pasted.trim()
  const words = text.split(/\s+/u).length
  if (/\n/u.test(text)) return true
  if (words > 1 && DATE.test(text)) return true
  if (words >= LEVEL_WORDS && LEVEL.test(text)) return true
  return text.length >= SENTENCE_LENGTH && (words >= SENTENCE_WORDS || /[，。；！？]/u.test(text))
}
