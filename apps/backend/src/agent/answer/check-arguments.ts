import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { AgentTool } from '../tools/agent-tool.ts'
import { foreignFaultOf } from './foreign-schema.ts'

/** Faults that are told at once: enough to mend a call, and no more than a line. */
const FAULTS_TOLD = 5

type CheckedTool = Pick<AgentTool, 'inputSchema' | 'serverId'>

/** Of our own tools, whose schemas are made once and again in each turn. */
const compiled = new Map<string, ValidateFunction>()

/** What is wrong with arguments, in words for the model; undefined when nothing is. */
export function faultOf(input: unknown, { inputSchema, serverId }: CheckedTool): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return 'arguments: must be a JSON object'
  if (serverId !== undefined) return foreignFaultOf(input as Readonly<Record<string, unknown>>, inputSchema)
  const validate = compile(inputSchema)
  if (validate(input)) return undefined
  return (validate.errors ?? []).slice(0, FAULTS_TOLD).map(inWords).join('; ')
}

function compile(inputSchema: AgentTool['inputSchema']): ValidateFunction {
  const key = JSON.stringify(inputSchema)
  const known = compiled.get(key)
  if (known !== undefined) return known
  const checker = new Ajv2020({ strict: false, validateFormats: false, logger: false, allErrors: true })
  const validate = checker.compile(inputSchema)
  compiled.set(key, validate)
  return validate
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  const extra: unknown = params.additionalProperty ?? params.unevaluatedProperty
  const name = typeof extra === 'string' ? ` (${extra.slice(0, 100)})` : ''
  return `arguments${instancePath.replaceAll('/', '.')}: ${message ?? 'is not valid'}${name}`
}
