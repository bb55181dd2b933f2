import { camelCase, settingNames, upperSnake } from './setting-names.ts'

/** One value and where it stands, so that a fault can name the place. */
export interface SourcedValue {
  readonly section: string
  readonly key: string
  readonly value: unknown
  /** "KB_SERVER__PORT", "config/settings.yaml", "the command line". */
  readonly source: string
}

/**
 * The settings of an environment: KB_<SECTION>__<KEY>. Known or not is decided by the schema, so that a misspelt one
 * stops the start; KB_SERVER_PORT (one underscore) is such a misspelling too. An empty text counts as not set.
 */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): SourcedValue[] {
  const sections = [...settingNames.keys()].map(upperSnake)
  const found: SourcedValue[] = []
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('KB_') || value === undefined || value === '') continue
    const [section = '', key] = name.slice('KB_'.length).split(/__(.*)/s, 2)
    if (key === undefined && !sections.some((known) => section.startsWith(`${known}_`))) continue
    found.push({ section: camelCase(section), key: camelCase(key ?? ''), value, source: name })
  }
  return found
}
