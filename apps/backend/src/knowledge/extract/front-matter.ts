import { parse } from 'yaml'
import type { Metadata, MetadataValue } from '@oncall-agent/retrieval'
import { type KnowledgeAttributes, noAttributes } from './extracted-document.ts'

export interface FrontMatter {
  /** The text after the front matter. */
  readonly body: string
  readonly title?: string
  readonly attributes: KnowledgeAttributes
  readonly metadata: Metadata
  readonly warnings: readonly string[]
}

/** Bounds on what a page may put beside its chunks: metadata is stored and filtered, not searched. */
const maxMetadataKeys = 32
const maxMetadataLength = 200
/** An alias bomb in YAML multiplies; front matter has no need of aliases. */
const maxAliases = 10
/** Longer blocks are text between two rules, not front matter. */
const maxFrontMatterLength = 64 * 1024

/**
 * Splits a leading YAML block off a Markdown text and reads it. A block that is no YAML mapping is a warning and is
 * removed all the same: it is never prose. TOML blocks (`+++`) are removed unread, with a warning.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const nothing = { attributes: noAttributes, metadata: {}, warnings: [] }
  const yaml = /---[ \t]*\n([\s\S]*?)\n?^(?:---|\.\.\.)[ \t]*(?:\n|$)/my.exec(text)
  if (yaml !== null && yaml[0].length <= maxFrontMatterLength && looksLikeMapping(yaml[1]!)) {
    return { body: text.slice(yaml[0].length), ...readYaml(yaml[1]!) }
  }
  const toml = /\+\+\+[ \t]*\n[\s\S]*?^\+\+\+[ \t]*(?:\n|$)/my.exec(text)
  if (toml !== null && toml[0].length <= maxFrontMatterLength) {
    return { ...nothing, body: text.slice(toml[0].length), warnings: ['its TOML front matter was not read'] }
  }
  return { ...nothing, body: text }
}

/** Two rules around prose are no front matter: one needs a `key:` line, a comment, or nothing at all inside. */
function looksLikeMapping(block: string): boolean {
  return block.trim() === '' || /^[ \t]*(?:"[^"]*"|'[^']*'|[^\s:#][^:\n]*):(?:\s|$)/m.test(block)
}

function readYaml(source: string): Omit<FrontMatter, 'body'> {
  let value: unknown
  try {
    value = parse(source, { maxAliasCount: maxAliases, logLevel: 'error' })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    // The commonest fault is a title with a colon in it; the title is what search needs most.
    const title = asText(/^title:[ \t]*["']?(.*?)["']?[ \t]*$/m.exec(source)?.[1])
    const warnings = [`its front matter is not valid YAML: ${reason}`]
    return { ...(title === undefined ? {} : { title }), attributes: noAttributes, metadata: {}, warnings }
  }
  if (value === null || value === undefined) return { attributes: noAttributes, metadata: {}, warnings: [] }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { attributes: noAttributes, metadata: {}, warnings: ['its front matter is not a list of keys and values'] }
  }
  const fields = value as Record<string, unknown>
  const title = asText(fields.title)
  return {
    ...(title === undefined ? {} : { title }),
    attributes: readAttributes(fields),
    metadata: readMetadata(fields),
    warnings: []
  }
}

/** The attributes that structured search filters on, under either spelling of their names. */
export function readAttributes(fields: Record<string, unknown>): KnowledgeAttributes {
  const knowledgeType = asText(fields.knowledge_type ?? fields.knowledgeType)
  const project = asText(fields.project)
  const equipment = asText(fields.equipment)
  return {
    ...(knowledgeType === undefined ? {} : { knowledgeType }),
    ...(project === undefined ? {} : { project }),
    ...(equipment === undefined ? {} : { equipment }),
    errorCodes: asList(fields.error_codes ?? fields.errorCodes)
  }
}

/** Scalars under their own names; lists, dates and nested values are no metadata. */
function readMetadata(fields: Record<string, unknown>): Metadata {
  const metadata = new Map<string, MetadataValue>()
  for (const [key, value] of Object.entries(fields)) {
    if (key === 'title' || key.length > maxMetadataLength) continue
    if (metadata.size === maxMetadataKeys) break
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) metadata.set(key, value)
    else if (typeof value === 'string' && value.length <= maxMetadataLength) metadata.set(key, value)
  }
  // Entries, not assignments: a key such as __proto__ is a key like any other.
  return Object.fromEntries(metadata)
}

function asText(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text.replace(/\s+/g, ' ')
}

function asList(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return [...new Set(values.map(asText).filter((text) => text !== undefined))]
}
