import { isAscii, isUtf8 } from 'node:buffer'
import { countHan } from '../common-han.ts'
import { decodeText, readsLikeChinese, tryDecode } from '../decode-text.ts'

/** A browser looks for the declaration in the first KiB; generated pages put more before it. */
const declarationWindow = 4096
/** Encodings in which every byte is a letter: that they decode proves nothing. */
const singleByte = /^(?:windows-125\d|windows-874|iso-8859-\d+|koi8-[ru]|macintosh|x-mac-cyrillic|ibm866)$/

/**
 * The bytes of a page to text: byte order mark, else the encoding it declares if the bytes are of it, else the rules
 * for text files. Pages were often saved in another encoding than they declare: text that is UTF-8 beyond doubt is
 * read as that, and Chinese is not read as Latin letters.
 * @throws AppError DOCUMENT_UNREADABLE (`binary`, `encoding`)
 */
export function decodeHtml(bytes: Uint8Array, name: string): string {
  const declared = declaredDecoder(bytes)
  if (declared === undefined || isAscii(bytes) || bytes.includes(0)) return decodeText(bytes, name).text
  const asDeclared = tryDecode(declared, bytes)
  if (asDeclared === undefined) return decodeText(bytes, name).text
  if (declared.encoding === 'utf-8') return asDeclared
  if (isUtf8(bytes)) {
    const asUtf8 = decodeText(bytes, name).text
    return readsLikeChinese(asDeclared) && !readsLikeChinese(asUtf8) ? asDeclared : asUtf8
  }
  if (singleByte.test(declared.encoding)) {
    const asChinese = tryDecode(new TextDecoder('gb18030', { fatal: true }), bytes)
    if (asChinese !== undefined && countHan(asChinese).han > 0 && readsLikeChinese(asChinese)) return asChinese
  }
  return asDeclared
}

/** A decoder of the encoding that the page declares; nothing where there is none, or one that is not known. */
function declaredDecoder(bytes: Uint8Array): InstanceType<typeof TextDecoder> | undefined {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return undefined
  const head = Buffer.from(bytes.subarray(0, declarationWindow)).toString('latin1')
  const label = (
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w:.-]+)/i.exec(head) ??
    /<meta\s[^>]*charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)
  )?.[1]
  if (label === undefined) return undefined
  try {
    const decoder = new TextDecoder(label, { fatal: true })
    // Whoever could read the declaration byte by byte was not reading UTF-16.
    return decoder.encoding.startsWith('utf-16') ? undefined : decoder
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
