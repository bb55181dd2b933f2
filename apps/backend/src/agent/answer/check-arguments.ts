import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { AgentTool } from '../tools/agent-tool.ts'

/** Schemas that are kept compiled; a turn may offer some hundred tools, and calls a few of them. */
const COMPILED_LIMIT = 500
/** Faults that are told at once: enough to mend a call, and no more than a line. */
const FAULTS_TOLD = 5

/**
 * What a schema of somebody else's is not held to, for its time has no bound: a `pattern` can take for ever on forty
 * characters, and this is the thread that everybody shares. Their server checks it.
 */
const UNCHECKED = ['pattern', 'patternProperties', 'uniqueItems'] as const
/** What would say the opposite of what it means once a part of it is not checked. */
const TURNED_AROUND = ['not', 'oneOf', 'if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems'] as const
const hasUnchecked = new RegExp(`"(?:${UNCHECKED.join('|')})":`)

type JsonSchema = Readonly<Record<string, unknown>>
type CheckedTool = Pick<AgentTool, 'inputSchema' | 'serverId'>

const compiled = new Map<string, ValidateFunction | null>()

/** What is wrong with arguments, in words for the model; undefined when nothing is. */
export function faultOf(input: unknown, tool: CheckedTool): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'arguments: must be a JSON object'
  const validate = compile(tool)
  if (validate === null) return 'arguments: the schema of this tool can not be read, so nothing can be checked by it'
  if (validate(input)) return undefined
  return (validate.errors ?? []).slice(0, FAULTS_TOLD).map(inWords).join('; ')
}

function compile({ inputSchema, serverId }: CheckedTool): ValidateFunction | null {
  // Its own name of a dialect is dropped: the dialects differ in nothing that tools use, and an unknown one is an error.
  const { $schema: _, $id: __, ...rest } = inputSchema
  const text = JSON.stringify(rest)
  const isForeign = serverId !== undefined
  const key = `${isForeign ? 'foreign' : 'own'} ${text}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  if (compiled.size >= COMPILED_LIMIT) compiled.delete(compiled.keys().next().value ?? '')
  const validate = compileAnew(rest, isForeign ? foreignChecker(hasUnchecked.test(text)) : ownChecker())
  compiled.set(key, validate)
  return validate
}

const COMMON = { strict: false, validateFormats: false, logger: false } as const

function ownChecker(): Ajv2020 {
  return new Ajv2020({ ...COMMON, allErrors: true })
}

/** Stops at the first fault: arguments with a hundred thousand of them are no more wrong. */
function foreignChecker(isLoosened: boolean): Ajv2020 {
  // Names beside patterns are looked for with them, too: each is taken for one that matches.
  const anything = Object.assign(() => ({ test: () => true, exec: () => null }), { code: 'anything' })
  const checker = new Ajv2020({ ...COMMON, allErrors: false, code: { regExp: anything as never } })
  for (const keyword of isLoosened ? [...UNCHECKED, ...TURNED_AROUND] : []) checker.removeKeyword(keyword)
  return checker
}

function compileAnew(schema: JsonSchema, checker: Ajv2020): ValidateFunction | null {
  try {
    // A checker of its own for each, for a name that one server uses must not be taken for that of another.
    return checker.compile(schema)
  } catch {
    return null
  }
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty
  const name = typeof extra === 'string' ? ` (${extra.slice(0, 100)})` : ''
  return `arguments${instancePath.replaceAll('/', '.')}: ${message ?? 'is not valid'}${name}`
}
