/** Not allowed in the plain name: it is read by clients that know neither escapes nor Unicode. */
const UNSAFE = /[^\x20-\x7e]|["\\%]/gu

/**
 * The header that saves an answer under a name (RFC 6266): plain for old clients, and whole in `filename*` (RFC 5987).
 * @param fileName any text; halves of a surrogate pair become U+FFFD
 */
export function attachment(fileName: string): string {
  const name = fileName.toWellFormed()
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${name.replaceAll(UNSAFE, '_')}"; filename*=UTF-8''${encoded}`
}
