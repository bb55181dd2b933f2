import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@oncall-agent/api-contracts'
import { type Document, isMap, parseDocument } from 'yaml'
import { readEnvironment, type SourcedValue } from './read-environment.ts'
import { readSettingsFile } from './read-settings-file.ts'
import type { SettingsOverrides } from './settings-schema.ts'

/** A file of this name in a data folder holds the settings that belong to its data, wherever it is served from. */
const DATA_SETTINGS_FILE = 'settings.yaml'

const NEW_FILE = `# Settings of this data folder. They win over config/settings.yaml of the program; the environment wins over them.
# Names and meanings are those of config/settings.yaml; data.dir is not for here.
`

export function dataSettingsFile(dataDirectory: string): string {
  return join(dataDirectory, DATA_SETTINGS_FILE)
}

/**
 * The settings of a data folder; none where it has no such file.
 * @throws AppError CONFIG_INVALID as `readSettingsFile`, and for section `data`: the folder is found before it is read
 */
export function readDataSettings(dataDirectory: string): SourcedValue[] {
  const file = dataSettingsFile(dataDirectory)
  if (!existsSync(file)) return []
  const values = readSettingsFile(file)
  const own = values.find(({ section }) => section === 'data')
  if (own === undefined) return values
  throw new AppError('CONFIG_INVALID', {
    operation: 'read settings',
    subject: file,
    message: `${file} is found by data.${own.key || 'dir'}, so it may not set it.`,
    hint: 'Use --data or KB_DATA__DIR.'
  })
}

/** What was written, and what keeps it from being in effect. */
export interface WrittenSettings {
  readonly file: string
  /** Variables of this environment that win over what was written. */
  readonly overriddenBy: readonly string[]
}

/** Sets values in a data folder's file, which is made if need be; what else it says stays, comments too. */
export function writeDataSettings(
  dataDirectory: string,
  changes: SettingsOverrides,
  env: Readonly<Record<string, string | undefined>> = process.env
): WrittenSettings {
  const file = dataSettingsFile(dataDirectory)
  const document: Document = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : NEW_FILE)
  // An empty file, and an empty section, are no mapping and take no keys.
  if (!isMap(document.contents)) document.contents = document.createNode({})
  for (const [section, keys] of Object.entries(changes)) {
    if (!isMap(document.get(section))) document.set(section, document.createNode({}))
    for (const [key, value] of Object.entries(keys ?? {})) document.setIn([section, key], value)
  }
  const written = `${file}.${process.pid}`
  try {
    writeFileSync(written, document.toString(), { mode: 0o600 })
    // Who reads it meanwhile sees the old file or the new one.
    renameSync(written, file)
  } catch (cause) {
    rmSync(written, { force: true })
    const isFull = (cause as NodeJS.ErrnoException).code === 'ENOSPC'
    throw new AppError(isFull ? 'STORAGE_FULL' : 'SYSTEM_UNAVAILABLE', {
      operation: 'write settings',
      subject: file,
      message: `The settings could not be written to ${file}.`,
      cause
    })
  }
  const overriding = readEnvironment(env).filter(({ section, key }) => {
    const sections: Readonly<Record<string, object | undefined>> = changes
    return Object.hasOwn(sections[section] ?? {}, key)
  })
  return { file, overriddenBy: overriding.map(({ source }) => source) }
}
