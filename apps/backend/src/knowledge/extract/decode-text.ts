import { countHan } from './common-han.ts'
import { unreadable } from '../unreadable.ts'

/** Share of common characters that Chinese text has at the least; measured: see README.md, "Encodings". */
const leastCommonShare = 0.4
/** A handful of characters proves little, so a short text must be more common still. */
const fewHan = 12
const leastCommonShareOfFew = 0.6
/** Share of zero bytes on one side from which UTF-16 without a byte order mark is certain for text with ASCII in it. */
const leastZeroShare = 0.2

/** Share of U+FFFD up to which the rest of a text is worth reading. */
const mostLostShare = 0.01

const utf8 = new TextDecoder('utf-8', { fatal: true })
const gb18030 = new TextDecoder('gb18030', { fatal: true })
const utf16 = {
  'utf-16le': new TextDecoder('utf-16le', { fatal: true }),
  'utf-16be': new TextDecoder('utf-16be', { fatal: true })
}

type Decoder = Pick<InstanceType<typeof TextDecoder>, 'decode'>

export interface DecodedText {
  readonly text: string
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030'
}

/**
 * Bytes to text by the first encoding that fits beyond doubt: byte order mark, UTF-8, UTF-16 whose zero bytes give
 * it away, GB18030 that reads like Chinese. Never guesses and never yields U+FFFD or a byte order mark.
 * @throws AppError DOCUMENT_UNREADABLE (`binary`, `encoding`)
 */
export function decodeText(bytes: Uint8Array, name: string): DecodedText {
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return mustDecode(utf16[marked], bytes, marked, name)

  const bare = unmarkedUtf16(bytes)
  if (bare !== undefined) return mustDecode(utf16[bare], bytes, bare, name)
  if (bytes.includes(0)) throw unreadable(name, 'binary', 'is not a text file: it contains zero bytes')

  const asUtf8 = tryDecode(utf8, bytes)
  if (asUtf8 !== undefined) {
    // A file full of U+FFFD was ruined before it came here; a stray one is dropped later, with a warning.
    if (countLost(asUtf8) > asUtf8.length * mostLostShare)
      throw notRecognised(name, 'was saved with its characters already lost (it is full of U+FFFD)')
    return { text: asUtf8, encoding: 'utf-8' }
  }

  const asChinese = tryDecode(gb18030, bytes)
  if (asChinese !== undefined && readsLikeChinese(asChinese)) return { text: asChinese, encoding: 'gb18030' }
  throw notRecognised(name, 'is in a text encoding that was not recognised')
}

/** Number of U+FFFD: characters that some earlier conversion lost. */
export function countLost(text: string): number {
  return text.split('\uFFFD').length - 1
}

/** True when text that was decoded as GB18030 is Chinese, and not another encoding's bytes that happen to decode. */
export function readsLikeChinese(text: string): boolean {
  // Korean, Big5 and Latin-1 bytes decode to private and unassigned characters, real GB18030 text has none.
  if (/[\p{Co}\p{Cn}\uFFFD]/u.test(text)) return false
  const foreign = text.match(
    /[^\p{ASCII}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{P}\p{S}\p{Z}\uFF00-\uFFEF]/gu
  )
  const { han, common } = countHan(text)
  if ((foreign?.length ?? 0) > han / 4) return false
  return han === 0 || common / han >= (han < fewHan ? leastCommonShareOfFew : leastCommonShare)
}

function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at % 2]!++
  const [even, odd] = [zeros[0]!, zeros[1]!]
  const least = (bytes.length / 2) * leastZeroShare
  if (even >= least && odd === 0) return 'utf-16be'
  if (odd >= least && even === 0) return 'utf-16le'
  return undefined
}

function mustDecode(decoder: Decoder, bytes: Uint8Array, encoding: DecodedText['encoding'], name: string): DecodedText {
  const text = tryDecode(decoder, bytes)
  if (text === undefined || /[\0\uFFFD\uFFFF]/.test(text))
    throw notRecognised(name, `looks like ${encoding} but is not valid`)
  return { text, encoding }
}

/** The decoded text, or nothing where the bytes are not of that encoding; that is an answer here, not a failure. */
export function tryDecode(decoder: Decoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function notRecognised(name: string, problem: string): Error {
  return unreadable(name, 'encoding', problem, { hint: 'Save it as UTF-8 and index it again.' })
}
