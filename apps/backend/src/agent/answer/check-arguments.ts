import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'

/** Schemas that are kept compiled; a turn may offer some hundred tools, and calls a few of them. */
const COMPILED_LIMIT = 500
/** Faults that are told at once: enough to mend a call, and no more than a line. */
const FAULTS_TOLD = 5

type JsonSchema = Readonly<Record<string, unknown>>

const compiled = new Map<string, ValidateFunction | null>()

/** What is wrong with arguments, in words for the model; undefined when nothing is. */
export function faultOf(input: unknown, schema: JsonSchema): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'arguments: must be a JSON object'
  const validate = compile(schema)
  if (validate === null) return 'arguments: the schema of this tool can not be read, so nothing can be checked by it'
  if (validate(input)) return undefined
  return (validate.errors ?? []).slice(0, FAULTS_TOLD).map(inWords).join('; ')
}

function compile(schema: JsonSchema): ValidateFunction | null {
  // Its own name of a dialect is dropped: the dialects differ in nothing that tools use, and an unknown one is an error.
  const { $schema: _, $id: __, ...rest } = schema
  const key = JSON.stringify(rest)
  const known = compiled.get(key)
  if (known !== undefined) return known
  if (compiled.size >= COMPILED_LIMIT) compiled.delete(compiled.keys().next().value ?? '')
  const validate = compileAnew(rest)
  compiled.set(key, validate)
  return validate
}

function compileAnew(schema: JsonSchema): ValidateFunction | null {
  try {
    // A checker of its own for each, for a name that one server uses must not be taken for that of another.
    return new Ajv2020({ strict: false, validateFormats: false, allErrors: true, logger: false }).compile(schema)
  } catch {
    return null
  }
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty
  const name = typeof extra === 'string' ? ` (${extra.slice(0, 100)})` : ''
  return `arguments${instancePath.replaceAll('/', '.')}: ${message ?? 'is not valid'}${name}`
}
