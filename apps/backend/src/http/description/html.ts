import { createHash } from 'node:crypto'

/** Text as it is written into HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)
}

/** A whole page with nothing from elsewhere. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>
${body}
</main></body></html>
`
}

const STYLE =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0}' +
  'main{max-width:60rem;margin:0 auto;padding:1rem}code,pre{font:.875rem/1.5 ui-monospace,monospace}' +
  'pre{overflow:auto;padding:.75rem;border:1px solid #8884;border-radius:.25rem}' +
  'summary{cursor:pointer;padding:.25rem 0}summary b{display:inline-block;min-width:4.5rem}' +
  'table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #8884;padding:.25rem .5rem;' +
  'text-align:left;vertical-align:top}h2{margin-top:2rem}'

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** Allows the one style above and nothing else. */
export const HTML_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`
