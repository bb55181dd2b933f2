import { redact } from '../observability/index.ts'
import { environmentName } from './setting-names.ts'
import type { Settings } from './settings-schema.ts'

export interface DescribedSetting {
  /** "chunking.size" */
  readonly key: string
  /** As it is in effect; a secret is hidden. */
  readonly value: unknown
  /** What sets it for one process: "KB_CHUNKING__SIZE". */
  readonly environment: string
}

/** Every effective setting, in the order of config/settings.yaml, fit to be printed. */
export function describeSettings(settings: Settings): DescribedSetting[] {
  const shown = redact(settings) as Record<string, Record<string, unknown>>
  return Object.entries(shown).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, value]) => ({
      key: `${section}.${key}`,
      value,
      environment: environmentName(section, key)
    }))
  )
}
