import { z } from 'zod'
import { nameSchema, timeSchema } from '../pages/ids.ts'

const VALUE_LIMIT = 4_096
const TOOLS_LIMIT = 500

/** Values of one kind that a server may have. */
export const MCP_VALUES_LIMIT = 64

const TOO_MANY_VALUES = `must have at most ${MCP_VALUES_LIMIT}`
const hasFewValues = (values: object): boolean => Object.keys(values).length <= MCP_VALUES_LIMIT

const valueNameSchema = z.string().regex(/^[A-Za-z_][\w-]{0,127}$/, 'must be a name of letters, digits, _ and -')
const valueSchema = z
  .string()
  .max(VALUE_LIMIT, `must have at most ${VALUE_LIMIT} characters`)
  .regex(/^[^\0\r\n]*$/, 'must be one line')

/** Names that environments and headers have; values that are secret go to `secrets`. */
const valuesSchema = z.record(valueNameSchema, valueSchema).refine(hasFewValues, TOO_MANY_VALUES).readonly()

/** How the agent names the server's tools: `<name>__<tool>`. */
const serverNameSchema = nameSchema.refine(
  (name) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) && name.length <= 32,
  'must be words of a-z and 0-9 with hyphens between, at most 32 characters'
)

/**
 * `allow`: the agent calls it as it likes, which is right for a tool that only reads. `ask`: each call waits for a
 * person. What is not listed does not exist for the agent.
 */
export const toolPermissionSchema = z.enum(['allow', 'ask'])

const allowedToolSchema = z.strictObject({ name: z.string().min(1).max(200), permission: toolPermissionSchema })

/** With its `definition` a tool is allowed, or allowed anew, as a person was shown it. */
const allowedToolsSchema = z
  .array(
    allowedToolSchema
      .extend({
        definition: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'must be a definition as a check told it')
          .optional()
      })
      .readonly()
  )
  .max(TOOLS_LIMIT, `must have at most ${TOOLS_LIMIT}`)
  .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, 'must not repeat one')
  .readonly()

/** A program on the server's machine (administrators only), spoken to over its standard input and output. */
const stdioSchema = z
  .strictObject({
    transport: z.literal('stdio'),
    command: z.string().trim().min(1, 'must not be empty').max(VALUE_LIMIT),
    args: z.array(z.string().max(VALUE_LIMIT)).max(100).readonly().default([]),
    /** Beside these the program sees only PATH, HOME and the like. */
    env: valuesSchema.default({})
  })
  .readonly()

const httpSchema = z
  .strictObject({
    transport: z.literal('http'),
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https address' })
      .max(VALUE_LIMIT)
      .refine((url) => !URL.canParse(url) || new URL(url).username === '', 'must not hold a name or password'),
    headers: valuesSchema.default({})
  })
  .readonly()

const serverFields = {
  name: serverNameSchema,
  connection: z.discriminatedUnion('transport', [stdioSchema, httpSchema]),
  allowedTools: allowedToolsSchema.default([]),
  enabled: z.boolean().default(true),
  /** Of one call. */
  timeoutMs: z.int().min(1_000, 'must be at least 1000').max(600_000, 'must be at most 600000').default(30_000)
}

/** Secret environment values or headers, by name: written, never told again. */
export const newMcpServerSchema = z.strictObject({ ...serverFields, secrets: valuesSchema.default({}) }).readonly()

/**
 * Fields that are given take the place of the old; in `secrets`, null removes one and what is not named stays. A tool
 * that was allowed before stays allowed as it was then, unless it comes with a `definition`; one that is new without it
 * is taken as it is seen first.
 */
export const mcpServerChangeSchema = z
  .strictObject({
    name: serverNameSchema,
    connection: serverFields.connection,
    allowedTools: allowedToolsSchema,
    enabled: z.boolean(),
    timeoutMs: serverFields.timeoutMs.unwrap(),
    secrets: z.record(valueNameSchema, valueSchema.nullable()).refine(hasFewValues, TOO_MANY_VALUES).readonly()
  })
  .partial()
  .readonly()

export const mcpHealthSchema = z
  .object({
    /** `unknown`: not used since the start. */
    state: z.enum(['unknown', 'connected', 'failed', 'disabled']),
    /** Fixed and safe. */
    message: z.string(),
    checkedAt: timeSchema.nullable(),
    /** What the server calls itself; null until it was reached. */
    serverName: z.string().nullable(),
    serverVersion: z.string().nullable()
  })
  .readonly()

export const mcpServerSchema = z
  .object({
    id: z.string(),
    ...serverFields,
    allowedTools: z.array(allowedToolSchema.readonly()).readonly(),
    /** Names of the secrets that are kept, sorted. */
    secretNames: z.array(z.string()).readonly(),
    health: mcpHealthSchema,
    createdAt: timeSchema,
    updatedAt: timeSchema
  })
  .readonly()

/** A tool as its server describes it: text of somebody else's, to be shown as text. */
export const mcpToolSchema = z
  .object({
    name: z.string(),
    title: z.string().nullable(),
    description: z.string(),
    /** The server's own word, which nobody has checked. */
    saysReadOnly: z.boolean(),
    inputSchema: z.record(z.string(), z.unknown()),
    /** Hash of all that the server says of it: to be sent with a permission that a person gives to what is shown here. */
    definition: z.string(),
    /** Null when the agent may not call it. */
    permission: toolPermissionSchema.nullable(),
    /** Whether it is allowed and no longer what was allowed: each call is asked for, whatever its permission says. */
    changed: z.boolean()
  })
  .readonly()

/** Connects now and asks for the tools. */
export const mcpCheckSchema = z
  .object({ health: mcpHealthSchema, tookMs: z.number().min(0), tools: z.array(mcpToolSchema).readonly() })
  .readonly()

/** A ready-made entry: what is left to fill in. */
export const mcpTemplateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    title: z.object({ zh: z.string(), en: z.string() }).readonly(),
    description: z.object({ zh: z.string(), en: z.string() }).readonly(),
    connection: serverFields.connection,
    /** Names to be given in `secrets`. */
    secretNames: z.array(z.string()).readonly(),
    /** Names to be given in `env` or `headers`, with an example each. */
    valueNames: z.record(z.string(), z.string()).readonly()
  })
  .readonly()

export type ToolPermission = z.output<typeof toolPermissionSchema>
export type NewMcpServer = z.output<typeof newMcpServerSchema>
export type McpServerChange = z.output<typeof mcpServerChangeSchema>
export type McpServer = z.output<typeof mcpServerSchema>
export type McpHealth = z.output<typeof mcpHealthSchema>
export type McpTool = z.output<typeof mcpToolSchema>
export type McpCheck = z.output<typeof mcpCheckSchema>
export type McpTemplate = z.output<typeof mcpTemplateSchema>
