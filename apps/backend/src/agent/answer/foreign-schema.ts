/** Names that are looked at; a schema of somebody else's may have any number. */
const NAMES_READ = 1_000
const NAME_SHOWN = 100

type Values = Readonly<Record<string, unknown>>

/**
 * What is plainly wrong with arguments by a schema of somebody else's: a name that is missing or not known, a value of
 * another type. Only the top is looked at, for the time of the rest has no bound: a `pattern` can take for ever on forty
 * characters, references can fan out without end, and this is the thread that everybody shares. The tool's server checks
 * the rest; a schema that can not be read lets it check everything.
 */
export function foreignFaultOf(input: Values, schema: Values): string | undefined {
  const properties = asValues(schema.properties) ?? {}
  return missing(input, schema) ?? unknownName(input, schema, properties) ?? wrongType(input, properties)
}

function missing(input: Values, { required }: Values): string | undefined {
  const names = Array.isArray(required) ? (required as readonly unknown[]).slice(0, NAMES_READ) : []
  const name = names.find((each) => typeof each === 'string' && !Object.hasOwn(input, each))
  return name === undefined ? undefined : `arguments: must have required property '${shown(String(name))}'`
}

function unknownName(input: Values, schema: Values, properties: Values): string | undefined {
  // Beside patterns or what other keywords bring, a name may be known without being listed.
  const isClosed = schema.additionalProperties === false && !('patternProperties' in schema)
  if (!isClosed) return undefined
  const name = Object.keys(input).find((each) => !Object.hasOwn(properties, each))
  return name === undefined ? undefined : `arguments: must NOT have additional properties (${shown(name)})`
}

function wrongType(input: Values, properties: Values): string | undefined {
  for (const [name, value] of Object.entries(input).slice(0, NAMES_READ)) {
    const type = Object.hasOwn(properties, name) ? asValues(properties[name])?.type : undefined
    const types = (Array.isArray(type) ? type.slice(0, NAMES_READ) : [type]).filter((each) => each !== undefined)
    if (types.length === 0 || types.some((each) => isOf(value, each))) continue
    return `arguments.${shown(name)}: must be ${types.map(String).join(' or ').slice(0, NAME_SHOWN)}`
  }
  return undefined
}

/** As JSON Schema says; a type that it does not know holds nothing up. */
function isOf(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return asValues(value) !== undefined
  if (type === 'integer') return Number.isInteger(value)
  return type === 'string' || type === 'number' || type === 'boolean' ? typeof value === type : true
}

function asValues(value: unknown): Values | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined
}

function shown(name: string): string {
  return name.slice(0, NAME_SHOWN).toWellFormed()
}
