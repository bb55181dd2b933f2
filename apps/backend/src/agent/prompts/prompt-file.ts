import { newPromptSchema, type NewPrompt } from '@oncall-agent/api-contracts'
import { isMap, isScalar, parseDocument } from 'yaml'

/** Characters that front matter may have: a name and a line of description fit many times over. */
const FRONT_MATTER_LIMIT = 8_192
const FIELDS: ReadonlySet<string> = new Set(['name', 'description'])

const opening = /^---[ \t]*(\r?\n)/
const closing = /^---[ \t]*(?:(\r?\n)|$)/m

/** Why a file can not be taken, as a predicate that follows its name: "has no front matter". */
export class PromptFileFault extends Error {
  override readonly name = 'PromptFileFault'
}

/**
 * Markdown with `name` and `description` in front matter. The text begins after one empty line, and is given back to the
 * letter by `readPromptFile`.
 */
export function writePromptFile({ name, description, content }: NewPrompt): string {
  // JSON's strings are YAML's, and hold any character on one line.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${content}`
}

/**
 * Reads a file as `writePromptFile` makes it, or as people write it: with a byte order mark, with lines that end in
 * CRLF (then those of the text become LF), with or without the empty line.
 * @throws PromptFileFault
 */
export function readPromptFile(file: string): NewPrompt {
  const text = file.replace(/^\uFEFF/, '')
  const lineEnd = opening.exec(text)?.[1]
  if (lineEnd === undefined) throw new PromptFileFault('has no front matter: its first line must be ---')
  const inside = text.slice(text.indexOf('\n') + 1)
  const end = closing.exec(inside.slice(0, FRONT_MATTER_LIMIT))
  if (end === null) throw new PromptFileFault('has front matter that does not end with a line ---, or a very long one')
  const body = inside.slice(end.index + end[0].length)
  const content = (lineEnd === '\n' ? body : body.replaceAll('\r\n', '\n')).replace(/^\n/, '')
  return checked({ ...fieldsOf(inside.slice(0, end.index)), content })
}

/** Failsafe: every value is a text, whatever it looks like; no tags, anchors or aliases, which only an attack needs. */
function fieldsOf(frontMatter: string): Readonly<Record<string, string>> {
  const document = parseDocument(frontMatter, {
    schema: 'failsafe',
    uniqueKeys: true,
    merge: false,
    logLevel: 'silent'
  })
  if (document.errors.length + document.warnings.length > 0 || !isMap(document.contents)) {
    throw new PromptFileFault('has front matter that is not YAML of the form `name: …`, each name once')
  }
  const fields: [string, string][] = []
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? key.value : undefined
    if (typeof name !== 'string' || !FIELDS.has(name)) {
      throw new PromptFileFault('has front matter with other fields than name and description')
    }
    if (!isScalar(value) || typeof value.value !== 'string' || value.anchor !== undefined || value.tag !== undefined) {
      throw new PromptFileFault(`has front matter whose ${name} is no plain text`)
    }
    fields.push([name, value.value])
  }
  return Object.fromEntries(fields)
}

function checked(fields: Readonly<Record<string, string>>): NewPrompt {
  const result = newPromptSchema.safeParse({ description: '', ...fields })
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  const field = String(path[0] ?? 'front matter')
  if (fields[field] === undefined) throw new PromptFileFault(`has no ${field} in its front matter`)
  throw new PromptFileFault(`has a ${field} that ${message}`)
}
