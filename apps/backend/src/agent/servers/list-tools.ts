import { createHash } from 'node:crypto'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import {
  DESCRIPTION_LENGTH,
  NAME_LENGTH,
  LIST_LENGTH,
  PAGES_LIMIT,
  SCHEMA_DEPTH,
  SCHEMA_LENGTH,
  shownText,
  TOOLS_LIMIT
} from './bounds.ts'

/** A tool as its server describes it: data, bounded. */
export interface ListedTool {
  readonly name: string
  readonly title: string | null
  readonly description: string
  readonly saysReadOnly: boolean
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** SHA-256 of all that the server says of it, uncut. */
  readonly definition: string
}

export interface ToolList {
  readonly tools: readonly ListedTool[]
  /** Tools that are left out: beyond the limits, twice under one name, or without a name that can be used. */
  readonly leftOut: number
}

/**
 * Asks for every page. The SDK's own `listTools` would compile schemas that nobody has looked at.
 * @param limitMs of all pages together
 */
export async function listTools(client: Client, limitMs: number): Promise<ToolList> {
  const until = performance.now() + limitMs
  let length = 0
  const found = new Map<string, ListedTool>()
  let leftOut = 0
  let cursor: string | undefined
  for (let page = 0; page < PAGES_LIMIT; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const answer = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
      timeout: Math.max(1, Math.ceil(until - performance.now()))
    })
    for (const tool of answer.tools) {
      const isFull = found.size >= TOOLS_LIMIT || length > LIST_LENGTH
      const listed = isFull || found.has(tool.name) ? undefined : listedTool(tool)
      length += listed?.length ?? 0
      if (listed === undefined || length > LIST_LENGTH) leftOut += 1
      else found.set(listed.tool.name, listed.tool)
    }
    cursor = answer.nextCursor
    if (cursor === undefined) break
  }
  return { tools: [...found.values()], leftOut: leftOut + (cursor === undefined ? 0 : 1) }
}

function listedTool(tool: Tool): { readonly tool: ListedTool; readonly length: number } | undefined {
  const { name, description = '', inputSchema, annotations } = tool
  if (name === '' || name !== shownText(name, NAME_LENGTH)) return undefined
  const schema = canonicalJson(inputSchema)
  if (schema === undefined || schema.length > SCHEMA_LENGTH || depthOf(schema) > SCHEMA_DEPTH) return undefined
  const title = tool.title ?? annotations?.title
  const described = JSON.stringify([title ?? null, description, schema])
  const listed: ListedTool = {
    name,
    title: title === undefined ? null : shownText(title, NAME_LENGTH),
    description: shownText(description, DESCRIPTION_LENGTH),
    saysReadOnly: annotations?.readOnlyHint === true,
    inputSchema,
    definition: createHash('sha256').update(described).digest('hex')
  }
  return { tool: listed, length: schema.length + listed.description.length }
}

/** Counted on its text, without a call for each level. */
function depthOf(schema: string): number {
  let [depth, deepest] = [0, 0]
  for (const [bracket] of schema.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** With sorted keys: a program may tell the same schema in another order. Undefined for one that is nested too deep. */
function canonicalJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : each
    )
  } catch {
    return undefined
  }
}
