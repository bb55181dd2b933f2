/** Bytes of one message of a tool server, and of one answer over HTTP: several times what is kept of a result. */
export const MESSAGE_BYTES = 8_388_608
/** Bytes of a result's text; longer ones are cut and say so. */
export const RESULT_BYTES = 1_048_576
/** Characters of what a tool's server says of it: more than any sensible description has, and a prompt bears it. */
export const DESCRIPTION_LENGTH = 4_096
/** Characters of the JSON Schema of a tool's arguments; a tool with a longer one is left out. */
export const SCHEMA_LENGTH = 65_536
/** Levels of a schema that is taken: whoever walks through it, here or later, does so by calling itself. */
export const SCHEMA_DEPTH = 32
/** Characters of all schemas and descriptions of one server together; what is beyond is left out. */
export const LIST_LENGTH = 4_194_304
/** Bytes of one stream of events in all, however short each is; the transport opens another one. */
export const STREAM_BYTES = 67_108_864
/** Requests that are under way at once with one server: our answers to what it asks are among them. */
export const REQUESTS_AT_ONCE = 256
/** Lines that are no messages, and other faults, that a server may have in one connection. */
export const FAULTS_LIMIT = 100
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
