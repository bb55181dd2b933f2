import {
  DEFAULT_KNOWLEDGE_TYPES,
  DEFAULT_STRUCTURED_SETTINGS,
  STRUCTURED_SETTING_RANGES,
  type StructuredSettings
} from '@oncall-agent/retrieval'
import type { z } from 'zod'
import { choice, decimal, names, optionalText, text, wholeNumber } from './setting.ts'

const MINUTE_MS = 60_000
/** An index of the engine carries the type in its name, so a type is written as such names may be. */
const typeName = /^[a-z][a-z0-9_-]{0,63}$/
const typeMeaning = 'names of small letters, digits, _ and -, with commas between'

/** What an engine outside needs to be reached, and what both engines hold and how they search. */
export function searchSettings(address: RegExp) {
  return {
    engine: choice(['embedded', 'opensearch', 'elasticsearch']).default('embedded'),
    url: optionalText('an http or https address', address).default(''),
    username: optionalText('a name').default(''),
    password: optionalText('a password').default(''),
    apiKey: optionalText('a key').default(''),
    timeoutMs: wholeNumber(1, MINUTE_MS).default(10_000),
    retries: wholeNumber(0, 10).default(2),
    shards: wholeNumber(1, 1_024).default(1),
    replicas: wholeNumber(0, 16).default(1),
    knowledgeTypes: names(typeMeaning, typeName).default(DEFAULT_KNOWLEDGE_TYPES),
    defaultType: text('one of search.knowledgeTypes', typeName).default('experience'),
    strictMaxHits: ranged('strictMaxHits'),
    titleBoost: ranged('titleBoost'),
    rrfWindow: ranged('rrfWindow'),
    vectorWeight: ranged('vectorWeight'),
    maxResultWindow: ranged('maxResultWindow'),
    looseMinMatch: ranged('looseMinMatch')
  }
}

/** As the search itself says: outside its range an engine refuses, or a formula loses its meaning. */
function ranged(key: keyof StructuredSettings) {
  const { min, max, whole } = STRUCTURED_SETTING_RANGES[key]
  return (whole ? wholeNumber(min, max) : decimal(min, max)).default(DEFAULT_STRUCTURED_SETTINGS[key])
}

interface SearchValues {
  readonly engine: string
  readonly url: string
  readonly username: string
  readonly password: string
  readonly apiKey: string
  readonly knowledgeTypes: readonly string[]
  readonly defaultType: string
}

/** What no single value shows to be wrong. */
export function searchAgrees(values: SearchValues, check: z.RefinementCtx): void {
  const add = (key: keyof SearchValues, message: string): void =>
    check.addIssue({ code: 'custom', path: [key], message })
  if (!values.knowledgeTypes.includes(values.defaultType)) {
    add('defaultType', `one of search.knowledgeTypes, which are ${values.knowledgeTypes.join(', ')}`)
  }
  if (values.engine !== 'embedded' && values.url === '') add('url', `a value, because the engine is ${values.engine}`)
  if ((values.username === '') !== (values.password === '')) {
    add(values.username === '' ? 'username' : 'password', 'a value, because the other of name and password has one')
  }
  if (values.apiKey !== '' && values.username !== '') add('apiKey', 'empty, because a name and a password are given')
}
