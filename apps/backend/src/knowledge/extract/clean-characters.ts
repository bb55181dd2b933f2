/** Characters without a width or a meaning for a reader: they would split words that look whole. */
const invisible =
  /[\u00AD\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\uFFFD\u{E0000}-\u{E007F}]/gu
/** Control characters except tab and line feed. */
// oxlint-disable-next-line no-control-regex -- removing them is the purpose
const control = /[\0-\u0008\u000B-\u001F\u007F-\u009F]/g
/** Joiners shape emoji and some scripts; next to anything else they only split words. */
const strayJoiner = /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\p{Script=Arabic}\p{M}])[\u200C\u200D]/gu

/**
 * Text whose lines end in LF and that holds no character a reader cannot see: zero-width and direction marks,
 * soft hyphens, control characters, lost characters (U+FFFD). Emoji sequences stay whole.
 */
export function cleanCharacters(text: string): string {
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(control, '')
    .replace(invisible, '')
    .replace(strayJoiner, '')
}
