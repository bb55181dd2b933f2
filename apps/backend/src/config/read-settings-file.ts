import { readFileSync } from 'node:fs'
import { AppError } from '@oncall-agent/api-contracts'
import { parse } from 'yaml'
import type { SourcedValue } from './read-environment.ts'

/**
 * The settings of a YAML file, in its order. An empty section counts as absent.
 * @throws AppError CONFIG_INVALID when it cannot be read, is no YAML or is not made of sections
 */
export function readSettingsFile(file: string): SourcedValue[] {
  const content = parseFile(file)
  if (content === null || content === undefined) return []
  if (!isRecord(content)) throw unreadable(file, 'it must be made of sections such as "server:"')
  return Object.entries(content).flatMap(([section, keys]) => {
    if (keys === null) return []
    // A bare value in place of a section is reported by the schema, under the section's name.
    if (!isRecord(keys)) return [{ section, key: '', value: keys, source: file }]
    return Object.entries(keys).map(([key, value]) => ({ section, key, value, source: file }))
  })
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), { prettyErrors: true })
  } catch (cause) {
    const reason =
      (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : 'it cannot be read as YAML'
    throw unreadable(file, reason, cause)
  }
}

function unreadable(file: string, reason: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', {
    operation: 'read settings',
    subject: file,
    message: `The configuration file ${file} is not valid: ${reason}${positionOf(cause)}.`,
    cause
  })
}

/** Line and column of a YAML fault; its message would repeat the line, which may hold a secret. */
function positionOf(cause: unknown): string {
  const at = (cause as { linePos?: { line: number; col: number }[] } | undefined)?.linePos?.[0]
  return at ? ` (line ${at.line}, column ${at.col})` : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
