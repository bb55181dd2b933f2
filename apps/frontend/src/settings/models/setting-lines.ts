import type { Models } from '@oncall-agent/api-contracts'

type ModelSettings = Models['models'][number]
type Setting = ModelSettings['settings'][number]

/** Keys are better set in the environment: a file of settings is copied, shown and committed. */
const isSecret = ({ name }: Setting): boolean => /key$|token$|password$/i.test(name)

/** For the shell that starts the server: `export KB_CHAT__BASE_URL='…'`, a line each. */
export function environmentLines({ settings }: ModelSettings): string {
  return settings.map(({ variable, example }) => `export ${variable}='${example.replaceAll("'", `'\\''`)}'`).join('\n')
}

/** Numbers and switches stand as they are; everything else is quoted, so that no character of it means something. */
const yamlValue = (value: string): string =>
  /^(\d+([.]\d+)?|true|false|on|off)$/.test(value) ? value : `'${value.replaceAll("'", "''")}'`

/** The same for `config/settings.yaml`, by section and without what is secret. */
export function yamlLines({ part, settings }: ModelSettings): string {
  const sections = new Map<string, string[]>()
  for (const setting of settings.filter((each) => !isSecret(each))) {
    const at = setting.name.indexOf('.')
    const section = at < 0 ? part : setting.name.slice(0, at)
    const line = `  ${setting.name.slice(at + 1)}: ${yamlValue(setting.example)}`
    sections.set(section, [...(sections.get(section) ?? []), line])
  }
  return [...sections].map(([section, lines]) => [`${section}:`, ...lines].join('\n')).join('\n')
}

/** Variables that have no line in the file, because they are secret. */
export function secretVariables({ settings }: ModelSettings): readonly string[] {
  return settings.filter(isSecret).map(({ variable }) => variable)
}
