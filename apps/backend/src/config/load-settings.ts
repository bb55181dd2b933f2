import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '@oncall-agent/api-contracts'
import type { z } from 'zod'
import { readDataSettings } from './data-settings-file.ts'
import { readEnvironment, type SourcedValue } from './read-environment.ts'
import { readSettingsFile } from './read-settings-file.ts'
import { settingNames } from './setting-names.ts'
import { type Settings, type SettingsOverrides, settingsSchema } from './settings-schema.ts'

/** The file that ships with every default. */
export const shippedSettingsFile = fileURLToPath(new URL('../../../../config/settings.yaml', import.meta.url))

export interface SettingsSources {
  /** YAML file; the shipped one when absent. */
  readonly file?: string
  /** The process's environment when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** From the command line; wins over both. */
  readonly overrides?: SettingsOverrides
}

/** One thing that is wrong, without the value itself: it may be a secret. */
export interface SettingIssue {
  readonly key: string
  readonly source: string
  /** "a text of 3 characters", "the number 70000" */
  readonly got: string
  readonly allowed: string
}

/**
 * The one door for configuration: the shipped file, over it the data folder's own file if it has one, then the environment,
 * then the command line; checked once and frozen.
 * @throws AppError CONFIG_INVALID naming every wrong key, its source, the shape of its value and what is allowed
 */
export function loadSettings(sources: SettingsSources = {}): Settings {
  const shipped = readSettingsFile(sources.file ?? shippedSettingsFile)
  const winning = [...readEnvironment(sources.env ?? process.env), ...readOverrides(sources.overrides ?? {})]
  const values = [...shipped, ...ownSettings([...shipped, ...winning]), ...winning]
  const parsed = settingsSchema.safeParse(merge(values))
  if (!parsed.success) throw invalid(parsed.error.issues.flatMap((issue) => explain(issue, values)))
  return freeze(parsed.data)
}

/** Those of the data folder that the others name; what they name wrongly is told by the schema. */
function ownSettings(others: readonly SourcedValue[]): SourcedValue[] {
  const { value } = others.findLast(({ section, key }) => section === 'data' && key === 'dir') ?? defaultFolder
  return typeof value === 'string' && value.trim() !== '' ? readDataSettings(resolve(value)) : []
}

const defaultFolder = { value: settingsSchema.shape.data.parse({}).dir as unknown }

function readOverrides(overrides: SettingsOverrides): SourcedValue[] {
  return Object.entries(overrides).flatMap(([section, keys]) =>
    Object.entries(keys ?? {})
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => ({ section, key, value: value as unknown, source: 'the command line' }))
  )
}

function merge(values: readonly SourcedValue[]): Record<string, Record<string, unknown>> {
  // Without a prototype, a key such as __proto__ is a key like any other, and refused like any other.
  const merged = Object.create(null) as Record<string, Record<string, unknown>>
  for (const { section, key, value } of values) {
    merged[section] ??= Object.create(null) as Record<string, unknown>
    merged[section][key] = value
  }
  return merged
}

function explain(issue: z.core.$ZodIssue, values: readonly SourcedValue[]): SettingIssue[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') return issue.keys.flatMap((key) => unknown([...path, key], values))
  const [section, key] = path
  const set = values.findLast((each) => each.section === section && each.key === key)
  const source = set?.source ?? 'the defaults'
  return [{ key: path.join('.'), source, got: shapeOf(set?.value), allowed: issue.message }]
}

function unknown([section = '', key]: readonly string[], values: readonly SourcedValue[]): SettingIssue[] {
  const known = settingNames.get(section)
  const allowed = known ? `${section}.{${known.join(', ')}}` : `the sections ${[...settingNames.keys()].join(', ')}`
  const set = values.filter((each) => each.section === section && (key === undefined || each.key === key))
  return set.map((each) => ({
    key: [section, each.key].filter((part) => part !== '').join('.'),
    source: each.source,
    got: 'an unknown setting',
    allowed
  }))
}

function invalid(issues: readonly SettingIssue[]): AppError {
  const sentences = issues.map(
    ({ key, source, got, allowed }) => `${key} (from ${source}) is ${got}; allowed: ${allowed}`
  )
  return new AppError('CONFIG_INVALID', {
    operation: 'load settings',
    subject: issues.map((issue) => issue.key).join(', '),
    message: `The configuration is not valid. ${sentences.join('. ')}.`,
    hint: 'config/settings.yaml lists every setting with its default.',
    details: { issues }
  })
}

function shapeOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'empty'
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'boolean') return `the switch ${value ? 'on' : 'off'}`
  if (typeof value === 'string') return `a text of ${value.length} characters`
  return Array.isArray(value) ? `a list of ${value.length}` : 'a section'
}

function freeze<T extends object>(settings: T): T {
  for (const part of Object.values(settings)) if (typeof part === 'object' && part !== null) Object.freeze(part)
  return Object.freeze(settings)
}
