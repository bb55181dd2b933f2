import { AppError } from '@oncall-agent/api-contracts'

/** What a part of a form says of itself. */
export interface PartName {
  readonly field: string
  /** Undefined for a text field. As the client has it on its own disk: nothing is cut off or replaced. */
  readonly fileName: string | undefined
}

const DISPOSITION = /^content-disposition:\s*form-data\s*(;.*)$/i
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;\s]*))/g
const ENCODING = /^content-transfer-encoding:\s*(?!(?:7bit|8bit|binary)\s*$)/i

/**
 * Field and file name of a part, from its header lines. Names are UTF-8, as browsers and curl send them, or told with
 * their character set in `filename*` (RFC 5987), which wins. Bytes of another character set are refused: a guess
 * would store a name that nobody gave.
 * @throws AppError VALIDATION_FAILED
 */
export function partNameOf(headers: Buffer): PartName {
  // A line that begins with space continues the one before.
  const lines = decode(headers)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  if (lines.some((line) => ENCODING.test(line))) throw refused('A part of the form is encoded; send it as it is.')
  const disposition = lines.map((line) => DISPOSITION.exec(line)?.[1]).find((found) => found !== undefined)
  const parameters = parametersOf(disposition ?? '')
  const field = parameters.get('name')
  if (field === undefined) throw refused('A part of the form has no name.')
  const extended = parameters.get('filename*')
  const plain = parameters.get('filename')
  const fileName = extended === undefined ? plain && unescape(plain) : decodeExtended(extended)
  return { field: unescape(field), fileName }
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const found = [...disposition.matchAll(PARAMETER)]
  return new Map(found.map(([, name = '', quoted, token = '']) => [name.toLowerCase(), quoted ?? token]))
}

/**
 * Undoes what clients do to a name in quotes. Browsers write `"`, CR and LF as %22, %0D, %0A and leave `\` alone;
 * others write `\"` and double each `\`: told from a Windows path by no run of them being odd.
 */
function unescape(quoted: string): string {
  const plain = quoted
    .replaceAll('\\"', '"')
    .replaceAll(/%(22|[01][\dA-F])/gi, (_whole, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
  const doubled = [...plain.matchAll(/\\+/g)].every(([run]) => run.length % 2 === 0)
  return doubled ? plain.replaceAll('\\\\', '\\') : plain
}

/** RFC 5987: `charset'language'percent-encoded`. */
function decodeExtended(value: string): string {
  const [charset = '', , encoded] = value.split("'")
  if (encoded === undefined || !/^(utf-8|iso-8859-1)$/i.test(charset)) throw badFileName()
  const bytes = encoded.replaceAll(/%([\dA-F]{2})/gi, (_whole, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16))
  )
  return charset.toLowerCase() === 'utf-8' ? decode(Buffer.from(bytes, 'latin1')) : bytes
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw badFileName(cause)
  }
}

function badFileName(cause?: unknown): AppError {
  return refused('file: the name is not valid UTF-8; send it as UTF-8, or as filename* with its character set.', cause)
}

function refused(message: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_FAILED', { operation: 'read form', message, cause })
}
