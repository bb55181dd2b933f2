import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeDocx, paragraph } from '../test-material/make-docx.ts'

const module = new URL('./extract-document.ts', import.meta.url).href

/** Names of the parsers that a fresh process has loaded after it has read one document. */
async function loadedFor(name: string, format: string, bytes: Buffer): Promise<string> {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = new Set()
    registerHooks({
      resolve(specifier, context, next) {
        if (/^(?:parse5|mammoth|pdfjs-dist\\b.*)$/.test(specifier)) loaded.add(specifier)
        return next(specifier, context)
      }
    })
    const { extractDocument } = await import(${JSON.stringify(module)})
    const bytes = Buffer.from('${bytes.toString('base64')}', 'base64')
    await extractDocument({ name: '${name}', format: '${format}', bytes, maxCharacters: 1000 })
    process.stdout.write([...loaded].toSorted().join(' '))
  `
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  return stdout
}

describe('a process that reads', () => {
  it.each([
    ['Markdown loads no parser of other formats', 'a.md', 'markdown', Buffer.from('# words\n\nwords'), ''],
    ['HTML loads that of HTML', 'a.html', 'html', Buffer.from('<p>words'), 'parse5'],
    [
      'Word documents loads those of Word and HTML',
      'a.docx',
      'docx',
      makeDocx({ body: paragraph('words') }),
      'mammoth parse5'
    ]
  ])('%s', async (_what, name, format, bytes, expected) => {
    expect(await loadedFor(name, format, bytes)).toBe(expected)
  })
})
