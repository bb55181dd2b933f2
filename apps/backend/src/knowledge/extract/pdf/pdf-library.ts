import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { unreadable } from '../../unreadable.ts'

type Pdfjs = typeof import('pdfjs-dist')

let loading: Promise<Pdfjs> | undefined

/**
 * Opens a PDF for its text. Nothing in it is run, drawn or fetched.
 * @throws AppError DOCUMENT_UNREADABLE (`pdf-encrypted`, `pdf-damaged`)
 */
export async function openPdf(bytes: Uint8Array, name: string): Promise<PDFDocumentProxy> {
  const pdfjs = await (loading ??= loadPdfjs())
  const library = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
  const task = pdfjs.getDocument({
    // The library takes its data over, and the caller may still need it.
    data: new Uint8Array(bytes),
    cMapUrl: join(library, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(library, 'standard_fonts/'),
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    verbosity: pdfjs.VerbosityLevel.ERRORS
  })
  try {
    return await task.promise
  } catch (cause) {
    await task.destroy()
    if (cause instanceof Error && cause.name === 'PasswordException') {
      const hint = 'Save a copy without a password and index that.'
      throw unreadable(name, 'pdf-encrypted', 'is password-protected', { hint, cause })
    }
    throw damaged(name, cause)
  }
}

export function damaged(name: string, cause: unknown): Error {
  const hint = 'Open it in a viewer and save it again, or fetch it again: the file may be incomplete.'
  return unreadable(name, 'pdf-damaged', 'is damaged: its PDF structure cannot be read', { hint, cause })
}

async function loadPdfjs(): Promise<Pdfjs> {
  // Text needs no drawing. The library looks for a native canvas all the same, 35 MB of it, unless it is told that
  // there is none; and it names three browser classes while it loads.
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@napi-rs/canvas') throw new Error('drawing is switched off')
      return next(specifier, context)
    }
  })
  const browser = globalThis as unknown as Record<string, unknown>
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) browser[name] ??= Object
  return (await import('pdfjs-dist/legacy/build/pdf.mjs')) as unknown as Pdfjs
}
