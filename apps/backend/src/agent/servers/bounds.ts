/** Bytes of one message of a tool server, and of one answer over HTTP: several times what is kept of a result. */
export const MESSAGE_BYTES = 8_388_608
/** Bytes of a result's text; longer ones are cut and say so. */
export const RESULT_BYTES = 1_048_576
/** Characters of what a tool's server says of it: more than any sensible description has, and a prompt bears it. */
export const DESCRIPTION_LENGTH = 4_096
/** Characters of the JSON Schema of a tool's arguments; a tool with a longer one is left out. */
export const SCHEMA_LENGTH = 65_536
/** Tools of one server that are taken, and pages of its list that are read. */
export const TOOLS_LIMIT = 500
export const PAGES_LIMIT = 50
/** Characters of a tool's name, as the contract has it. */
export const NAME_LENGTH = 200

/** Control characters and marks that turn text around: text of somebody else's is shown to people and models. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

/** Text of a server as it may be shown: well formed, without characters that nobody sees, cut with a mark. */
export function shownText(text: string, length: number): string {
  const seen = text.toWellFormed().replaceAll(UNSEEN, ' ')
  return seen.length <= length ? seen : `${seen.slice(0, length - 1).toWellFormed()}…`
}
