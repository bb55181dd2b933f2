import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'

export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  readonly tag: string
  /** Its name has a hash of what it holds: it never changes. */
  readonly immutable: boolean
}

/** Files of the built page by their path in an address ("/assets/index-BnT3x9Qa.js"). */
export type Page = ReadonlyMap<string, PageFile>

const HASHED = /^\/assets\/.+-[\w-]{8,}\.\w+$/

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm'
}

/**
 * Reads the whole page into memory, once: it is a few megabytes, and an address that is only looked up can not leave
 * the folder.
 * @throws AppError CONFIG_INVALID when the folder holds no page
 */
export function loadPage(directory: string): Page {
  try {
    const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const files = entries.map((entry) => join(entry.parentPath, entry.name))
    const page = new Map(files.map((file) => [addressOf(directory, file), pageFile(directory, file)]))
    if (!page.has('/index.html')) throw new Error('it has no index.html')
    return page
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', {
      operation: 'load page',
      subject: directory,
      message: `The folder ${directory} holds no page.`,
      hint: 'Build the page first.',
      cause
    })
  }
}

function addressOf(directory: string, file: string): string {
  return `/${file.slice(join(directory, sep).length).replaceAll(sep, '/')}`
}

function pageFile(directory: string, file: string): PageFile {
  const bytes = readFileSync(file)
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
  const type = types[extname(file).toLowerCase()] ?? 'application/octet-stream'
  return { bytes, type, tag, immutable: HASHED.test(addressOf(directory, file)) }
}
