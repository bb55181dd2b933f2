import { deflateSync } from 'node:zlib'

/** Content of one page: PDF drawing operators, or a stream that is encoded already. */
export type PageContent = string | { readonly data: Buffer; readonly filters: string }

/** A PDF of Helvetica pages, 600 by 800 points. */
export function makePdf(pages: readonly PageContent[], info: { title?: string } = {}): Buffer {
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(
      `<< /Type /Pages /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`
    ),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  ]
  for (const [at, page] of pages.entries()) {
    const { data, filters } = typeof page === 'string' ? { data: Buffer.from(page, 'latin1'), filters: '' } : page
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${5 + at * 2} 0 R /Resources << /Font << /F 3 0 R >> >> >>`
      ),
      Buffer.concat([
        Buffer.from(`<< ${filters} /Length ${data.length} >>\nstream\n`),
        data,
        Buffer.from('\nendstream')
      ])
    )
  }
  if (info.title !== undefined) objects.push(Buffer.from(`<< /Title (${info.title}) >>`))
  return assemble(objects, info.title === undefined ? '' : `/Info ${objects.length} 0 R`)
}

/** Operators that write lines at places. */
export function textAt(
  lines: readonly { readonly x: number; readonly y: number; readonly text: string; readonly size?: number }[]
): string {
  return lines
    .map(({ x, y, text, size = 12 }) => `BT /F ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`)
    .join('\n')
}

/** Lines below one another, from the top of the page. */
export function linesOf(texts: readonly string[], x = 50, top = 750): string {
  return textAt(texts.map((text, at) => ({ x, y: top - at * 14, text })))
}

/** A page of a few KiB that inflates twice to `megabytes` of drawing operators. */
export function bombPage(megabytes: number): PageContent {
  const block = Buffer.alloc(1024 * 1024, 'BT (boom) Tj ET ')
  const once = deflateSync(Buffer.concat(Array.from({ length: megabytes }, () => block)), { level: 1 })
  return { data: deflateSync(once), filters: '/Filter [/FlateDecode /FlateDecode]' }
}

function assemble(objects: readonly Buffer[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]!.length
  for (const [at, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    offsets.push(length)
    length += part.length
    parts.push(part)
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer << /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
    )
  )
  return Buffer.concat(parts)
}
