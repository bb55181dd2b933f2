/** Section `search` of the settings; what each does to an answer is in the README beside. */
export interface StructuredSettings {
  /** Documents: more strict matches than this answer with facets instead. */
  readonly strictMaxHits: number
  readonly titleBoost: number
  /** Documents that are rescored. */
  readonly rrfWindow: number
  /** Weight of the vector part in the rescore, 0..1. */
  readonly vectorWeight: number
  /** Highest `from_ + size`, documents. */
  readonly maxResultWindow: number
  /** Share of a keyword's tokens that a loose match needs. */
  readonly looseMinMatch: number
}

export const DEFAULT_STRUCTURED_SETTINGS: StructuredSettings = {
  strictMaxHits: 8,
  titleBoost: 3,
  rrfWindow: 50,
  vectorWeight: 0.5,
  maxResultWindow: 10_000,
  looseMinMatch: 0.6
}

export interface SettingRange {
  readonly min: number
  readonly max: number
  readonly whole: boolean
}

// OpenSearch refuses a result window or a rescore window over 10,000 with its defaults.
const ENGINE_WINDOW = 10_000
/** A page is 100 documents at most, and a whole strict answer must fit on one. */
const MAX_PAGE = 100

/** What each setting may be, both ends included. Outside them an engine refuses, or a formula loses its meaning. */
export const STRUCTURED_SETTING_RANGES: Readonly<Record<keyof StructuredSettings, SettingRange>> = {
  strictMaxHits: { min: 1, max: MAX_PAGE, whole: true },
  titleBoost: { min: 0, max: 100, whole: false },
  rrfWindow: { min: 1, max: ENGINE_WINDOW, whole: true },
  vectorWeight: { min: 0, max: 1, whole: false },
  maxResultWindow: { min: MAX_PAGE, max: ENGINE_WINDOW, whole: true },
  looseMinMatch: { min: 0.01, max: 1, whole: false }
}

/** The first setting that is out of its range, with what it may be; null when all are in. */
export function settingFault(settings: StructuredSettings): { key: keyof StructuredSettings; reason: string } | null {
  for (const [name, { min, max, whole }] of Object.entries(STRUCTURED_SETTING_RANGES)) {
    const key = name as keyof StructuredSettings
    const value = settings[key]
    if (value >= min && value <= max && (!whole || Number.isInteger(value))) continue
    return { key, reason: `must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not ${value}` }
  }
  return null
}

/** Types of knowledge where no others are configured. */
export const DEFAULT_KNOWLEDGE_TYPES: readonly string[] = ['alarm', 'setup', 'experience']
