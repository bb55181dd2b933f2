/**
 * The normalisation of both models' SentencePiece files: NFKC a code point at a time (never across code points),
 * some control characters dropped, every kind of white space one blank, runs of blanks one blank.
 * Checked against the maps in the packages: 4,837 code points; these two sets are all that differ from NFKC.
 */
// oxlint-disable-next-line no-control-regex -- control characters are the subject
const DROPPED = /[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]/g
const BLANKS = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/g
/** Everything that NFKC may change: ASCII and the two large Han blocks stay as they are. */
// oxlint-disable-next-line no-control-regex -- the whole ASCII range is meant
const MAY_CHANGE = /[^\u0000-\u007f\u3400-\u4dbf\u4e00-\u9fff]/gu

/** Blanks stay blanks here; a tokenizer turns them into its word mark. Linear in the length of the text. */
export function normaliseText(text: string): string {
  return text
    .replace(DROPPED, '')
    .replace(BLANKS, ' ')
    .replace(MAY_CHANGE, (character) => character.normalize('NFKC'))
    .replace(/ {2,}/g, ' ')
}
